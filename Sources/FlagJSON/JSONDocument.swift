package import FlagDomain

/// A small document of our own, such as a manifest, which the domain's strict coders read and write as JSON.
package protocol JSONDocument: Codable {
  /// Returns the expectation of a part, for messages.
  ///
  /// - Parameter names: The names of the members that lead to the part; none for the document itself.
  /// - Returns: The expectation, such as "a string".
  static func expectation(at names: [String]) -> String
}

extension JSONDocument {
  /// Reads a document, and makes a value of it.
  ///
  /// - Parameters:
  ///   - text: The document: JSON in UTF-8.
  ///   - make: Makes the value, or throws the part that cannot be used.
  /// - Returns: The value.
  /// - Throws: A parse error with the line and column of the part that is not as it should be.
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
