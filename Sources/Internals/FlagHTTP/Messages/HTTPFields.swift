/// The header fields of a message, in order; look-ups by name ignore case.
package struct HTTPFields: Hashable, Sendable {
  package struct Field: Hashable, Sendable {
    package let name: HTTPFieldName
    package let value: String
  }

  /// The fields, in the order in which they were added.
  package private(set) var all: [Field] = []

  package init() {}
}

extension HTTPFields.Field {
  /// Creates a field from text; nil if the name is not a token, or the value cannot be sent.
  package init?(_ name: String, _ value: String) {
    guard let name = HTTPFieldName(name) else { return nil }
    self.init(name: name, value: value)
    guard isSendable else { return nil }
  }

  /// Whether the value has no control characters, which could end the field.
  package var isSendable: Bool { value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (HTTPFieldName, String)...) {
    for (name, value) in elements { append(name, value) }
  }
}

extension HTTPFields {
  /// The value of a field: those of all fields with the name, joined by commas (RFC 9110, 5.3); nil without any.
  ///
  /// A new value replaces all of them, at the position of the first one; nil removes them.
  package subscript(name: HTTPFieldName) -> String? {
    get {
      var combined: String?
      for field in all where field.name == name {
        combined = combined.map { "\($0), \(field.value)" } ?? field.value
      }
      return combined
    }
    set {
      let index = all.firstIndex { $0.name == name } ?? all.endIndex
      all.removeAll { $0.name == name }
      if let newValue { all.insert(Field(name: name, value: newValue), at: index) }
    }
  }

  package func values(of name: HTTPFieldName) -> [String] { all.filter { $0.name == name }.map(\.value) }

  package mutating func append(_ name: HTTPFieldName, _ value: String) { append(Field(name: name, value: value)) }

  package mutating func append(_ field: Field) { all.append(field) }

  /// Returns whether a field that lists tokens contains one, ignoring case.
  package func contains(_ token: String, in name: HTTPFieldName) -> Bool {
    all.contains { field in
      field.name == name
        && field.value.split(separator: ",").contains { $0.trimmingHTTPSpace.equalsIgnoringASCIICase(token) }
    }
  }
}
