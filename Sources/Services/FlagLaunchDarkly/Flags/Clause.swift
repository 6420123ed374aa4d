import FlagDefinitions
import FlagDomain
import FlagPatterns
import FlagSupport

/// A condition of a rule.
final class Clause: Sendable {
  let kind: ContextKind
  /// The attribute, or the reason why there is none.
  let attribute: Result<AttributeReference, AttributeReference.Malformed>
  let isNegated: Bool
  let test: ClauseTest

  init(
    kind: ContextKind, attribute: Result<AttributeReference, AttributeReference.Malformed>, isNegated: Bool,
    test: ClauseTest
  ) {
    self.kind = kind
    self.attribute = attribute
    self.isNegated = isNegated
    self.test = test
  }
}

/// A comparison of an attribute with the values of a clause, of which one must hold.
enum ClauseTest: Sendable {
  case isOneOf(ValueSet)
  case startsWith([String])
  case endsWith([String])
  case contains([String])
  case matches([Pattern])
  case number(Relation, [Double])
  /// In milliseconds since 1970.
  case date(Relation, [Double])
  case version(Relation, [SemanticVersion])
  /// The context is in one of the segments with these numbers; the attribute is not looked at.
  case isInSegment([Int])
  case never
  /// A pattern of the clause cannot be used.
  case unusable(String)

  enum Relation: Sendable {
    case less, lessOrEqual, equal, greaterOrEqual, greater

    func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
      switch self {
      case .less: left < right
      case .lessOrEqual: left <= right
      case .equal: left == right
      case .greaterOrEqual: left >= right
      case .greater: left > right
      }
    }
  }
}

/// Values of any type, among which an attribute's is looked for.
final class ValueSet: Sendable {
  let texts: KeyTable
  let numbers: Set<Double>
  private let hasTrue: Bool
  private let hasFalse: Bool
  /// Arrays, objects and null.
  let others: [FlagValue]

  init(_ values: [FlagValue]) {
    texts = KeyTable(values)
    numbers = Set(values.compactMap(\.number))
    (hasTrue, hasFalse) = (values.contains(.bool(true)), values.contains(.bool(false)))
    others = values.filter { value in
      switch value {
      case .null, .array, .object: true
      case .bool, .int, .double, .string: false
      }
    }
  }

  /// Returns whether a value is in the set; a number and a boolean are never the same.
  func contains(_ value: FlagValue) -> Bool {
    switch value {
    case .string(let text): texts.number(of: text) != nil
    case .int, .double: !numbers.isEmpty && value.number.map(numbers.contains) == true
    case .bool(let value): value ? hasTrue : hasFalse
    case .null, .array, .object: others.contains { $0.isSameJSON(as: value) }
    }
  }
}

extension FlagValue {
  /// Returns whether two values are the same; an integer and an equal double are.
  func isSameJSON(as other: FlagValue) -> Bool {
    matches(other) { left, right in left.number.map { $0 == right.number } ?? (left == right) }
  }

  /// The time that a number or an RFC 3339 text stands for, in milliseconds since 1970; nil for any other value.
  var milliseconds: Double? {
    guard case .string(let text) = self else { return number }
    guard let time = Timestamp(text, isStrict: true) else { return nil }
    return Double(time.secondsSince1970) * 1000 + (Double("0.\(time.fraction)0") ?? 0) * 1000
  }
}
