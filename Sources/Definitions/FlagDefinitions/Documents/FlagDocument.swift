public import FlagDomain

/// The flags of one document in the in-house format, ready to be evaluated.
///
/// A flag whose entry is malformed is an error when it is evaluated; the others are served.
public struct FlagDocument: Sendable {
  /// The encoding that assigns users to buckets.
  public let bucketing: Bucketing
  /// The errors of single flags, and warnings about those that are served but cannot give what they name, in the order
  /// of the document: at most 100.
  ///
  /// `diagnostics(in:)` returns all errors and warnings.
  public internal(set) var diagnostics: [DocumentDiagnostic]
  /// The number of further diagnostics.
  public internal(set) var omittedDiagnostics: Int

  package var flags: FlagTable
  /// The store of the variants that units of sticky experiments keep; nil if none is kept.
  var stickyBuckets: (any StickyBucketStore)?

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - text: The document: JSON in UTF-8, as data, an array of bytes or a string's UTF-8; it is not copied.
  ///   - bucketing: The encoding that assigns users to buckets.
  ///   - file: The name of its file, which diagnostics include; nil if it has none.
  /// - Throws: A `FlagDocumentError` if the document as a whole cannot be read: it is not JSON, or has no flags by
  ///   their keys.
  public init(
    parsing text: some Collection<UInt8>, bucketing: Bucketing = .v3, file: String? = nil
  ) throws(FlagDocumentError) {
    self.init(try DocumentReader.read(text, of: file), of: text, bucketing: bucketing, file: file)
  }

  package init(
    _ reader: consuming DocumentReader, of text: some Collection<UInt8>, bucketing: Bucketing, file: String? = nil
  ) {
    self.bucketing = bucketing
    var found = reader.diagnostics
    let disguised = reader.disguisedTexts
    flags = reader.flags(bucketing: bucketing, file: file)
    found.add(flags.diagnostics())
    if let disguised { found.add(disguised.warnings(in: text)) }
    let kept = Array(found.kept.prefix(RuleLimits.diagnostics))
    diagnostics = kept.located(in: text, of: file)
    omittedDiagnostics = found.omitted + found.kept.count - kept.count
  }

  init(bucketing: Bucketing, diagnostics: [DocumentDiagnostic], omittedDiagnostics: Int, flags: FlagTable) {
    (self.bucketing, self.diagnostics, self.omittedDiagnostics) = (bucketing, diagnostics, omittedDiagnostics)
    self.flags = flags
  }

  package var hasNoFlags: Bool { flags.entries.isEmpty }

  /// The keys of all flags, including malformed ones.
  public var keys: some Collection<String> & Sendable { flags.map(\.key) }

  /// Returns the metadata of a flag merged with the document's, or nil if there is no such flag or it is malformed.
  public func metadata(of key: String) -> [String: FlagValue]? {
    if case .flag(let flag)? = flags[key] { flag.metadata } else { nil }
  }

  /// Evaluates a flag.
  ///
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - context: The context that the flag is evaluated for.
  ///   - seconds: The time, in seconds since 1970-01-01 UTC; it is only evaluated if the flag depends on it.
  /// - Returns: The answer, or nil if the document has no such flag.
  /// - Throws: A `FlagError` if the flag is malformed, or its rule cannot be evaluated or names no variant.
  public func evaluate(
    _ key: String, in context: EvaluationContext, at seconds: @autoclosure () -> Int64
  ) throws(FlagError) -> FlagAnswer? {
    guard let number = flags.number(of: key) else { return nil }
    if let answer = flags.fixedAnswer(number) { return answer }
    return try flags.withFlag(number) { flag throws(FlagError) in
      keeping(try flag.ruledAnswer(in: context, at: seconds), of: flag, in: context)
    }
  }

  /// Evaluates a flag, and records the steps of the evaluation.
  ///
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - context: The context that the flag is evaluated for.
  ///   - seconds: The time, in seconds since 1970-01-01 UTC.
  /// - Returns: The explanation; its answer is nil if the document has no such flag.
  public func explain(_ key: String, in context: EvaluationContext, at seconds: Int64) -> FlagExplanation {
    var explanation = FlagExplanation(key: key)
    do {
      guard let flag = try flag(key) else { return explanation }
      try flag.explain(in: context, at: seconds, in: &explanation)
      explanation.answer = explanation.answer.map { sticky($0, of: flag, in: context, isSaved: false) }
    } catch {
      explanation.error = error
    }
    return explanation
  }

  package func flag(_ key: String) throws(FlagError) -> FlagDefinition? {
    guard let number = flags.number(of: key) else { return nil }
    return try flags.entries[number].get()
  }
}
