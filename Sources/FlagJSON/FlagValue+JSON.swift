package import FlagDomain

extension FlagValue {
  /// Reads a JSON text as one value.
  ///
  /// An integer numeral is exact up to the limits of `Int128`, and beyond them the closest double. One with a fraction
  /// or an exponent is the closest double. Strings keep the code points that they are written with.
  ///
  /// - Parameters:
  ///   - text: The text: JSON in UTF-8.
  ///   - depth: How many levels of arrays and objects it may have.
  /// - Throws: An error that says where the text is not JSON, or what in it no value can hold.
  package init(json text: some Collection<UInt8>, depth: Int = JSONReader.maximumDepth) throws(JSONError) {
    self = try JSONReader.read(text, depth: depth) { reader throws(JSONError) in
      let value = Result { () throws(JSONError) in try reader.readValue() }
      try reader.finish()  // what is not JSON, comes before what cannot be held
      return try value.get()
    }
  }

  /// Returns the value as JSON text in UTF-8, the members of objects in the order of their names' code points.
  ///
  /// Reading the text gives the value again: a double has a fraction or an exponent, and as few digits as tell it from
  /// every other one.
  ///
  /// - Parameters:
  ///   - layout: How the text is laid out.
  ///   - depth: How many levels of arrays and objects the value may have.
  /// - Returns: The text.
  /// - Throws: A type mismatch, where the value holds a number that is infinite or undefined, or is too deep.
  package func json(
    _ layout: JSONLayout = .compact, depth: Int = JSONReader.maximumDepth
  ) throws(FlagError) -> [UInt8] {
    var writer = JSONWriter(layout, depth: depth)
    try writer.write(self)
    return writer.text
  }

  /// Returns the value as JSON text, as `json(_:depth:)` does, in a string.
  package func jsonString(
    _ layout: JSONLayout = .compact, depth: Int = JSONReader.maximumDepth
  ) throws(FlagError) -> String {
    String(decoding: try json(layout, depth: depth), as: UTF8.self)
  }
}

package enum JSONLayout: Hashable, Sendable {
  /// In one line, without white space.
  case compact
  /// Each member and element on a line of its own, indented by two spaces a level, and a line feed at the end.
  case indented
  /// Each member or element of the outermost value on a line of its own, and a line feed at the end.
  case lines
}
