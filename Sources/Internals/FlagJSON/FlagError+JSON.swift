package import FlagDomain

extension FlagError {
  /// Creates a parse error with the line and column of an error in a text.
  package init(_ error: JSONError, in text: some Collection<UInt8>) {
    self.init(.parseError, "\(JSONSourceLocation(of: error.offset, in: text)): \(error)")
  }
}

extension FlagValue {
  /// Parses a JSON text in UTF-8 as one value; errors have line and column.
  package static func reading(json text: some Collection<UInt8>) throws(FlagError) -> FlagValue {
    try reading(text, keepsHugeNumbers: false)
  }

  /// Parses a JSON text as one value; errors have line and column.
  package static func reading(json text: String) throws(FlagError) -> FlagValue { try reading(json: text.utf8) }

  /// Parses a JSON text in UTF-8 with the values of many flags; errors have line and column.
  ///
  /// A number beyond every double is infinite and keeps its text: an error of the flag that reads it, and of no other.
  package static func reading(flags text: some Collection<UInt8>) throws(FlagError) -> FlagValue {
    try reading(text, keepsHugeNumbers: true)
  }

  private static func reading(
    _ text: some Collection<UInt8>, keepsHugeNumbers: Bool
  ) throws(FlagError) -> FlagValue {
    do throws(JSONError) {
      return try FlagValue(json: text, keepsHugeNumbers: keepsHugeNumbers)
    } catch {
      throw FlagError(error, in: text)
    }
  }
}
