package import FlagDomain

extension FlagValue {
  /// Parses a JSON text as one value.
  ///
  /// An integer numeral is exact within the limits of `Int128`. Any other numeral is the closest double, with its text
  /// if the double does not give the number back. Strings keep their code points.
  ///
  /// - Parameters:
  ///   - text: The text: JSON in UTF-8.
  ///   - depth: The maximum number of nested arrays and objects.
  ///   - keepsHugeNumbers: Whether a number beyond every double is read, as an infinite one with its text.
  /// - Throws: An error with the position at which the text is not JSON, or has a value that cannot be represented.
  package init(
    json text: some Collection<UInt8>, depth: Int = JSONReader.maximumDepth, keepsHugeNumbers: Bool = false
  ) throws(JSONError) {
    self = try JSONReader.read(text, depth: depth) { reader throws(JSONError) in
      reader.keepsHugeNumbers = keepsHugeNumbers
      let value = Result { () throws(JSONError) in try reader.readValue() }
      try reader.finish()  // a syntax error takes precedence over a value that cannot be represented
      return try value.get()
    }
  }

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

  /// Returns the value as JSON text in UTF-8, the members of objects in the order of their names' code points.
  ///
  /// Parsing the text gives the same value: a double has its text or, without one, a fraction or an exponent and the
  /// fewest digits that distinguish it from every other one.
  ///
  /// - Parameters:
  ///   - layout: The layout of the text.
  ///   - depth: The maximum number of nested arrays and objects.
  /// - Returns: The text.
  /// - Throws: A type mismatch if the value has a number that is infinite or not a number, or is nested too deeply.
  package func json(
    _ layout: JSONLayout = .compact, depth: Int = JSONReader.maximumDepth
  ) throws(FlagError) -> [UInt8] {
    var writer = JSONWriter(layout, depth: depth)
    try writer.write(self)
    return writer.text
  }

  /// Returns the value as JSON text in a string, as `json(_:depth:)` does.
  package func jsonString(
    _ layout: JSONLayout = .compact, depth: Int = JSONReader.maximumDepth
  ) throws(FlagError) -> String {
    String(decoding: try json(layout, depth: depth), as: UTF8.self)
  }
}

package enum JSONLayout: Hashable, Sendable {
  /// One line, without white space.
  case compact
  /// Each member and element on its own line, indented by two spaces a level, and a line feed at the end.
  case indented
  /// Each member or element of the outermost value on its own line, and a line feed at the end.
  case lines
}

extension FlagError {
  /// Creates a parse error with the line and column of an error in a text.
  package init(_ error: JSONError, in text: some Collection<UInt8>) {
    self.init(.parseError, "\(JSONSourceLocation(of: error.offset, in: text)): \(error)")
  }
}
