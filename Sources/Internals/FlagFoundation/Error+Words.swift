package import FlagSupport

extension Error {
  /// The error in words for people: its own ones, or the system's for its number.
  package var words: String {
    if let words = (self as? any LocalizedError)?.errorDescription { return words }
    #if canImport(FoundationEssentials)
      // The essentials have numbers and no words.
      let cause = unsafe (self as? CocoaError)?.userInfo["NSUnderlyingError"] ?? self
      return (cause as? POSIXError).map { "\(SystemError(code: $0.code.rawValue))" } ?? "\(self)"
    #else
      return localizedDescription
    #endif
  }
}

extension SystemError: LocalizedError {
  package var errorDescription: String? { description }
}
