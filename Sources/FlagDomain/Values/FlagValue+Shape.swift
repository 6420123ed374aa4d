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
  func allScalars(satisfy condition: (FlagValue) -> Bool) -> Bool {
    guard hasParts else { return condition(self) }
    var rest = [self]
    while let value = rest.popLast() {
      for part in value.elements ?? value.fields.map({ Array($0.values) }) ?? [] {
        if part.hasParts { rest.append(part) } else if !condition(part) { return false }
      }
    }
    return true
  }

  /// A comparison of two floating-point numbers, and whether the digits that they do not keep are the same.
  typealias DoubleComparison = (_ left: Double, _ right: Double, _ haveSameText: Bool) -> Bool

  /// Returns whether two values are the same, given when two floating-point numbers are; names and texts are compared
  /// by their code points.
  func matches(_ other: FlagValue, doubles areSame: DoubleComparison) -> Bool {
    guard hasParts, other.hasParts else { return matches(scalar: other, doubles: areSame) }
    var rest = [(self, other)]
    func match(_ left: FlagValue, _ right: FlagValue) -> Bool {
      guard left.hasParts, right.hasParts else { return left.matches(scalar: right, doubles: areSame) }
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

  private func matches(scalar other: FlagValue, doubles areSame: DoubleComparison) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.double(let left, let text), .double(let right, let other)):
      areSame(left, right, text?.text == other?.text)
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
