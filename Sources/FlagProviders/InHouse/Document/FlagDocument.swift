public import FlagDomain
public import Foundation

/// The flags of one document in the in-house format, ready to be evaluated.
///
/// A flag whose entry is malformed does not keep the others from being served; asking for it is an error.
public struct FlagDocument: Sendable {
  /// Which bytes decide a user's share.
  public let bucketing: Bucketing
  /// What is wrong with single flags, in the order of the document.
  public internal(set) var findings: [Finding]

  /// What each key stands for.
  var entries: [String: Entry]

  /// A flag, or why there is none.
  enum Entry: Equatable, Sendable {
    case flag(FlagDefinition)
    case malformed(String)
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - data: The document: JSON in UTF-8.
  ///   - bucketing: Which bytes decide a user's share.
  /// - Throws: A `FlagDocumentError` when the document as a whole cannot be read: it is not JSON, or has no flags by
  ///   their keys.
  public init(parsing data: consuming Data, bucketing: Bucketing = .v3) throws(FlagDocumentError) {
    let bytes = [UInt8](data)  // consumed here, so that a large document is not in memory twice while it is read
    let outline = try DocumentOutline(reading: bytes)
    let reader = DocumentReader(outline, of: bytes)
    self.bucketing = bucketing
    entries = reader.entries
    findings = outline.findings(reader.remarks, in: bytes)
  }
}

extension FlagDocument {
  /// The keys of all flags, those of malformed ones included.
  public var keys: some Collection<String> & Sendable { entries.keys }

  /// Returns the metadata of a flag, over the document's; nil where the document has no such flag, or a malformed one.
  public func metadata(of key: String) -> [String: FlagValue]? {
    if case .flag(let flag)? = entries[key] { flag.metadata } else { nil }
  }

  /// Evaluates a flag.
  ///
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - context: Whom the flag is evaluated for.
  ///   - seconds: The time, in seconds since the beginning of 1970 in UTC; asked for only where the flag depends on it.
  /// - Returns: The answer, or nil where the document has no such flag.
  /// - Throws: A `FlagError` when the flag is malformed, or its rule cannot be evaluated or names no variant.
  public func evaluate(
    _ key: String, in context: EvaluationContext, at seconds: @autoclosure () -> Int64
  ) throws(FlagError) -> FlagAnswer? {
    guard let flag = try flag(key) else { return nil }
    if let answer = flag.fixedAnswer { return answer }
    var trace: Trace?
    return try flag.evaluate(
      in: context, at: flag.dependsOnTime ? seconds() : 0, bucketing: bucketing, trace: &trace)
  }

  /// Returns the flag of a key, or nil; throws where it is malformed.
  func flag(_ key: String) throws(FlagError) -> FlagDefinition? {
    switch entries[key] {
    case .flag(let flag): return flag
    case .malformed(let reason): throw FlagError(.parseError, reason)
    case nil: return nil
    }
  }
}
