public import FlagDefinitions

/// LaunchDarkly's format: the flags and segments that its server SDKs evaluate.
///
/// A document is the answer of `/sdk/latest-all`: `flags` and `segments` by their keys. The file that the SDKs read
/// flags from is one, too: its `flagValues` have the same value for everyone. Documents are not merged.
public struct LaunchDarklyFormat: DefinitionFormat, Hashable {
  /// Creates the format.
  public init() {}

  /// The name `launchdarkly`.
  public var name: String { "launchdarkly" }

  /// Reads a document: JSON in UTF-8.
  public func read(_ text: [UInt8], of file: String?) throws(FlagDocumentError) -> any DefinitionDocument {
    try LaunchDarklyDocument(text, of: file)
  }
}

extension DefinitionFormat where Self == LaunchDarklyFormat {
  /// LaunchDarkly's format.
  public static var launchDarkly: Self { Self() }
}
