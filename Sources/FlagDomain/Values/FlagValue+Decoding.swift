/// A function that parses a string as an array or object, for services whose values are all strings.
public typealias TextReader = @Sendable (String) throws(FlagError) -> FlagValue

extension FlagValue {
  /// Decodes the value as a Swift type, strictly and without loss.
  ///
  /// A whole number reads as any type that holds it exactly, `10.0` reads as an integer, 300 does not read as `UInt8`.
  /// A string is never a number, and an array with one bad element is a mismatch as a whole. Null reads as an optional
  /// only.
  ///
  /// - Parameters:
  ///   - type: The type to read.
  ///   - textReader: For values that are all strings: parses arrays and objects, while `true`, `false` and numerals are
  ///     converted exactly. Nil for typed values.
  /// - Returns: The value, as the type.
  /// - Throws: A type mismatch with the path, the expected type and the value found.
  public func decode<Value: Decodable>(as type: Value.Type, textReader: TextReader? = nil) throws(FlagError) -> Value {
    // The frequent cases, without a decoder: a server resolves flags again for each request.
    // Each value is already of the requested type, so its bits are copied; a cast would look up metadata at every call.
    switch self {
    case .bool(let bool) where type == Bool.self: return same(bool, as: type)
    case .string(let string) where type == String.self: return same(string, as: type)
    case .double(let double, nil) where type == Double.self: return same(double, as: type)
    case .int(let number) where type == Int.self:
      if let whole = Int(exactly: number) { return same(whole, as: type) }
    default: break
    }
    return try read(type, textReader)
  }

  /// Returns a value as its own type, which generic code knows by another name.
  @inline(__always)
  private func same<Own, Value>(_ value: Own, as type: Value.Type) -> Value {
    precondition(Own.self == type)
    return unsafe unsafeBitCast(value, to: type)
  }

  /// Decodes the value as a document of this package, and throws the path of a part that does not match.
  package func decodeDocument<Value: Decodable>(as type: Value.Type) throws(ValueMismatch) -> Value {
    do {
      return try ValueDecoder(value: self, codingPath: [], textReader: nil).decode(type)
    } catch {
      switch error {
      case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
        DecodingError.dataCorrupted(let context):
        throw ValueMismatch(names: context.codingPath.map(\.stringValue))
      case DecodingError.keyNotFound(let key, let context):
        throw ValueMismatch(names: (context.codingPath + [key]).map(\.stringValue))
      default: throw ValueMismatch(names: [])
      }
    }
  }

  private func read<Value: Decodable>(_ type: Value.Type, _ textReader: TextReader?) throws(FlagError) -> Value {
    do {
      return try ValueDecoder(value: self, codingPath: [], textReader: textReader).decode(type)
    } catch {
      throw FlagError(mismatch: error, reading: self, as: type)
    }
  }
}

/// A part of a document that is missing or not of its type: the names that lead to it.
package struct ValueMismatch: Error {
  package let names: [String]
  /// The expected type; nil if it follows from the type alone.
  package let expected: String?

  package init(names: [String], expected: String? = nil) { (self.names, self.expected) = (names, expected) }
}

extension FlagError {
  fileprivate init(mismatch error: any Error, reading value: FlagValue, as type: Any.Type) {
    self =
      switch error {
      case let error as FlagError: error
      case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
        DecodingError.dataCorrupted(let context):
        FlagError(.typeMismatch, context.codingPath.place + context.debugDescription)
      case DecodingError.keyNotFound(let key, let context):
        FlagError(.typeMismatch, context.codingPath.place + "expected a field \"\(key.stringValue)\", found none")
      default: FlagError(.typeMismatch, "expected \(type), found \(value.typeName): \(error)")
      }
  }
}

extension [any CodingKey] {
  /// The path as a prefix of a message: `at layout.rows[2]: `.
  fileprivate var place: String {
    guard !isEmpty else { return "" }
    let path = reduce(into: "") { path, key in
      if let index = key.intValue { path += "[\(index)]" } else { path += (path.isEmpty ? "" : ".") + key.stringValue }
    }
    return "at \(path): "
  }
}
