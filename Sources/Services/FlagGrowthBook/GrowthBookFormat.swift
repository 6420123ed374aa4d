public import FlagDefinitions
public import FlagDomain

/// The format of GrowthBook's SDKs: features with rules and experiments, as of its SDK for Python 4.0.0.
///
/// A document is the answer of `GET /api/features/{clientKey}`, encrypted or not.
public struct GrowthBookFormat: DefinitionFormat {
  /// The settings of evaluations.
  public var settings: GrowthBookSettings
  /// The key of encrypted documents, in base64; nil for documents that are not encrypted.
  public var decryptionKey: String?
  /// The store of the variations that users keep; nil if no variation is kept.
  public var stickyBuckets: (any StickyBucketStore)?

  /// Creates the format with the usual settings, for documents that are not encrypted.
  public init() { self.init(settings: GrowthBookSettings()) }

  /// Creates the format.
  public init(
    settings: GrowthBookSettings = GrowthBookSettings(), decryptionKey: String? = nil,
    stickyBuckets: (any StickyBucketStore)? = nil
  ) {
    (self.settings, self.decryptionKey, self.stickyBuckets) = (settings, decryptionKey, stickyBuckets)
  }

  /// The name `growthbook`.
  public var name: String { "growthbook" }

  /// Reads a document: JSON in UTF-8.
  public func read(_ text: [UInt8], of file: String?) throws(FlagDocumentError) -> any DefinitionDocument {
    try GrowthBookDocument(text, of: file, format: self)
  }

  /// Returns whether two formats read and evaluate alike, with the same store.
  public static func == (left: Self, right: Self) -> Bool {
    left.settings == right.settings && left.decryptionKey == right.decryptionKey
      && left.stickyBuckets === right.stickyBuckets
  }
}

extension DefinitionFormat where Self == GrowthBookFormat {
  /// GrowthBook's format.
  public static var growthBook: Self { Self() }
}

/// The settings of evaluations that are not in a document.
public struct GrowthBookSettings: Hashable, Sendable {
  /// The names of attributes of a context by those in conditions, for the ones whose names differ.
  ///
  /// By default, `id` is the targeting key, and `country` the user's country code.
  public var attributeNames = ["id": "targetingKey", "country": "countryCode"]
  /// Whether experiments are run.
  public var isEnabled = true
  /// Whether experiments only give variations that are chosen by hand.
  public var isQAMode = false
  /// The numbers of variations that are chosen by hand, by the keys of experiments.
  public var forcedVariations: [String: Int] = [:]

  /// Creates the default settings.
  public init() {}

  /// Returns the name that an attribute of conditions has in a context.
  func contextName(of attribute: String) -> String { attributeNames[attribute] ?? attribute }
}
