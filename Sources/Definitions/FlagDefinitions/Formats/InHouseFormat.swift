public import FlagDomain

/// The in-house format, which is flagd's: JSON with rules in JsonLogic.
public struct InHouseFormat: DefinitionFormat {
  /// The encoding that assigns users to buckets.
  public let bucketing: Bucketing
  /// The store of the variants that units of sticky experiments keep; nil if none is kept.
  package let stickyBuckets: (any StickyBucketStore)?

  /// Creates the format with version 3 of the encoding.
  public init() { self.init(bucketing: .v3) }

  /// Creates the format with an encoding, and a store of the variants that units of sticky experiments keep.
  public init(bucketing: Bucketing = .v3, stickyBuckets: (any StickyBucketStore)? = nil) {
    (self.bucketing, self.stickyBuckets) = (bucketing, stickyBuckets)
  }

  /// The name `in-house`.
  public var name: String { "in-house" }

  /// Reads a document: JSON in UTF-8.
  public func read(_ text: [UInt8], of file: String?) throws(FlagDocumentError) -> any DefinitionDocument {
    var document = try FlagDocument(parsing: text, bucketing: bucketing, file: file)
    document.stickyBuckets = stickyBuckets
    return document
  }

  /// Merges documents; if two flags have the same key, the later one counts.
  ///
  /// The document is compiled from the merged text: a client that receives the text gives the same answers as one that
  /// receives the document. A rule refers only to the shared rules of its own document. Diagnostics, and the reasons of
  /// malformed flags, keep their locations in the original documents.
  ///
  /// - Throws: A `FlagDocumentError` if a part has another format, or the merged text exceeds the maximum size of a
  ///   document.
  public func merge(_ parts: [StoredDefinitions]) throws(FlagDocumentError) -> StoredDefinitions {
    let documents = try parts.map { part throws(FlagDocumentError) in try part.inHouse }
    if parts.count == 1, isEqual(to: documents[0].format) { return parts[0] }
    let text = try DocumentMerger.merge(parts.map(\.text))
    var document = try FlagDocument(parsing: text, bucketing: bucketing)
    document.takeDiagnostics(of: documents)
    document.stickyBuckets = stickyBuckets
    return StoredDefinitions(document, text: text, version: DefinitionVersion(of: text))
  }
}

extension DefinitionFormat where Self == InHouseFormat {
  /// The in-house format, which is flagd's.
  public static var inHouse: Self { Self() }

  /// Returns the in-house format with an encoding, and a store of the variants that units of sticky experiments keep.
  public static func inHouse(bucketing: Bucketing = .v3, stickyBuckets: (any StickyBucketStore)? = nil) -> Self {
    Self(bucketing: bucketing, stickyBuckets: stickyBuckets)
  }
}

extension InHouseFormat: Equatable {
  /// Returns whether two formats evaluate alike, with the same store.
  public static func == (left: Self, right: Self) -> Bool {
    left.bucketing == right.bucketing && left.stickyBuckets === right.stickyBuckets
  }
}

extension StoredDefinitions {
  /// The document in the in-house format.
  ///
  /// - Throws: A `FlagDocumentError` if it has another format.
  package var inHouse: FlagDocument {
    get throws(FlagDocumentError) {
      if let document = document as? FlagDocument { return document }
      throw FlagDocumentError("expected definitions in the in-house format, found the format \(document.format.name)")
    }
  }
}

extension FlagDocument {
  fileprivate mutating func takeDiagnostics(of parts: [FlagDocument]) {
    diagnostics = parts.flatMap(\.diagnostics)
    omittedDiagnostics = parts.reduce(0) { $0 + $1.omittedDiagnostics }
    for case (let key, .malformed) in flags {
      flags[key] = parts.lazy.reversed().compactMap { $0.flags[key] }.first
    }
  }
}
