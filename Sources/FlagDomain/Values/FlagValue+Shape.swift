extension FlagValue {
  /// The name of the value's shape, as error messages give it.
  public var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .int: "integer"
    case .double: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  /// Whether the value has no parts: null, a boolean, a number or a string.
  @inlinable package var isScalar: Bool { !hasParts }

  /// Whether the value is an array or an object.
  @inlinable package var hasParts: Bool {
    switch self {
    case .array, .object: true
    case .null, .bool, .int, .double, .string: false
    }
  }

  /// The text, if the value is a string.
  package var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The elements, if the value is an array.
  package var elements: [FlagValue]? { if case .array(let elements) = self { elements } else { nil } }

  /// The members, if the value is an object.
  package var fields: [String: FlagValue]? { if case .object(let fields) = self { fields } else { nil } }
}

extension [String: FlagValue] {
  /// The members in the order of their names' bytes, which no version of Unicode changes.
  @inline(never)
  package var inOrder: [Element] { sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) } }
}

/// Inspection of all parts without recursion, since a value may nest deeper than a thread's stack allows.
extension FlagValue {
  /// The elements of an array or the values of an object's members; none of a scalar.
  package var parts: [FlagValue] { elements ?? fields.map { Array($0.values) } ?? [] }

  /// Calls a closure with the value, and then with parts of it at any depth, of which the last come first.
  ///
  /// - Parameter visit: Returns the parts of a value to go on with, which are usually its ``parts``; nil to stop.
  package func walk(_ visit: (FlagValue) -> [FlagValue]?) {
    var rest = [self]
    while let value = rest.popLast() {
      guard let parts = visit(value) else { return }
      rest += parts
    }
  }

  /// Returns whether the value or a part of it satisfies a condition.
  package func contains(where condition: (FlagValue) -> Bool) -> Bool {
    var isFound = false
    walk { value in
      isFound = condition(value)
      return isFound ? nil : value.parts
    }
    return isFound
  }

  /// Returns whether two values are the same, given when two are of which one has no parts; names are compared by their
  /// code points.
  package func matches(_ other: FlagValue, _ areSame: (FlagValue, FlagValue) -> Bool) -> Bool {
    guard hasParts, other.hasParts else { return areSame(self, other) }
    var rest = [(self, other)]
    func match(_ left: FlagValue, _ right: FlagValue) -> Bool {
      guard left.hasParts, right.hasParts else { return areSame(left, right) }
      rest.append((left, right))
      return true
    }
    while let pair = rest.popLast() {
      switch pair {
      case (.array(let left), .array(let right)):
        guard left.count == right.count else { return false }
        for (left, right) in zip(left, right) where !match(left, right) { return false }
      case (.object(let left), .object(let right)):
        guard left.count == right.count else { return false }
        for (name, left) in left {
          guard let right = right.member(name), match(left, right) else { return false }
        }
      default: return false
      }
    }
    return true
  }

  /// When two floating-point numbers are the same.
  enum DoubleComparison {
    /// They are equal, or both are no numbers.
    case equal
    /// The digits that doubles do not keep are the same, too.
    case equalWithText
    /// With those digits, the signs of zeros and the bits of what is no number.
    case identical
  }

  /// Returns whether two values are the same; names and texts are compared by their code points.
  func matches(_ other: FlagValue, doubles comparison: DoubleComparison) -> Bool {
    matches(other) { $0.matches(scalar: $1, doubles: comparison) }
  }

  private func matches(scalar other: FlagValue, doubles comparison: DoubleComparison) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.double(let left, let text), .double(let right, let other)):
      (comparison == .identical ? left.bitPattern == right.bitPattern : left == right || left.isNaN && right.isNaN)
        && (comparison == .equal || text?.text == other?.text)
    case (.string(let left), .string(let right)): left.isIdentical(to: right)
    default: false
    }
  }

  /// The value as messages show it: its kind, its size, and the value itself if it is short.
  package var summary: String {
    switch self {
    case .null: "null"
    case .array(let elements) where elements.isEmpty: "an empty array"
    case .object(let fields) where fields.isEmpty: "an empty object"
    case .array(let elements): "an array of \(elements.count) \(elements.count == 1 ? "element" : "elements")"
    case .object: "an object"
    case .string(let text) where text.utf8.count > 80: "a string of \(text.utf8.count) bytes"
    case .string: "the string \(self)"
    case .bool, .int, .double: "the \(typeName) \(self)"
    }
  }
}
