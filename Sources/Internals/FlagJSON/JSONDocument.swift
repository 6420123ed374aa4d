package import FlagDomain

/// A small document of this package, such as a manifest, which the domain's strict coders encode and decode as JSON.
package protocol JSONDocument: Codable {
  /// Returns the expectation for a part, as error messages name it.
  ///
  /// - Parameter names: The names of the members that lead to the part; empty for the document itself.
  /// - Returns: The expectation, such as "a string".
  static func expectation(at names: [String]) -> String
}

extension JSONDocument {
  /// Parses a document, and creates a value from it.
  ///
  /// - Parameters:
  ///   - text: The document: JSON in UTF-8.
  ///   - make: Creates the value, or throws the part that cannot be used.
  /// - Returns: The value.
  /// - Throws: A parse error with the line and column of the invalid part.
  package static func read<Value>(
    _ text: [UInt8], _ make: (Self) throws(ValueMismatch) -> Value
  ) throws(FlagError) -> Value {
    let value = try FlagValue.reading(json: text)
    do throws(ValueMismatch) {
      return try make(try value.decodeDocument(as: Self.self))
    } catch {
      let path = error.names.reduce(DocumentPath.root) { $0.appending($1) }
      let location = JSONSourceLocation.locations(of: [path], in: text)[0]
      let found = error.names.reduce(Optional(value)) { $0?.fields?.member($1) }
      let expected = error.expected ?? expectation(at: error.names)
      throw FlagError(.parseError, "\(location): \(path): expected \(expected), found \(found?.summary ?? "nothing")")
    }
  }
}
