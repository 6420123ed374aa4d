public import FlagDefinitions
public import FlagDomain
public import FlagFoundation

// Makes the localized description that of the error, and not "The operation could not be completed".

extension FlagError: LocalizedError {
  /// The error in one line: code, flag, provider and message.
  public var errorDescription: String? { description }
}

extension FlagDocumentError: LocalizedError {
  /// Everything that prevents the document from being served.
  public var errorDescription: String? { "\(self)" }
}

extension DuplicateFlagKeys: LocalizedError {
  /// Every shared key and the flags that share it.
  public var errorDescription: String? { description }
}
