public import FlagDefinitions

/// LaunchDarkly's format: the flags and segments that its server SDKs evaluate.
///
/// A document is the answer of `/sdk/latest-all`: `flags` and `segments` by their keys. The file that the SDKs read
/// flags from is one, too: its `flagValues` have the same value for everyone. Documents are not merged.
///
/// A context without a user whose attributes have a `kind`, or a `key` in place of a targeting key, is read as
/// LaunchDarkly's JSON for a context. One that LaunchDarkly refuses is an error of the code `INVALID_CONTEXT`.
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
