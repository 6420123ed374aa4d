/// A part of a compiled condition.
///
/// `operand` and `count` are numbers of entries in the tables of a ``Payload``; their meaning is the kind's.
struct ConditionNode: Sendable {
  enum Kind: UInt8, Sendable {
    /// All of the children hold: `count` children from the number `operand`.
    case all
    /// One of the children holds, or there are none.
    case any
    /// The node `operand` does not hold.
    case not
    /// The value at the path `operand` passes the test `count`.
    case attribute
    /// The value is the text `operand`; in lower case for `textIgnoringCase`.
    case text, textIgnoringCase
    case isNull
    /// The value has the same JSON as the value `operand`.
    case sameJSON
    /// The value is a scalar of the same type that equals the value `operand`.
    case identical
    /// The value, or one of its elements, is in the set `operand`.
    case isIn, isInIgnoringCase
    /// The value, or one of its elements, is in the saved group `operand`.
    case isInGroup
    /// The object belongs to the saved group `operand`.
    case belongsToGroup
    /// The value is of the same type as the value `operand`, and in the order `count` to it.
    case ordered
    /// The value is a version in the order `count` to the version `operand`.
    case version
    /// The value is a text that has the pattern `operand`.
    case pattern
    /// The value's type is the text `operand`.
    case type
    /// The number of the value's elements passes the test `operand`.
    case size
    /// An element passes the test, or fulfils the condition, `operand`.
    case elementPasses, elementFulfils
    /// The value is an array, and each of the children is passed by one of its elements.
    case containsAll
    case always, never
  }

  let kind: Kind
  var operand: UInt32 = 0
  var count: UInt32 = 0
}

/// A saved group: a test of values, or a condition.
struct SavedGroup: Sendable {
  /// The number of its node.
  let node: UInt32
  /// The number of levels on which its parts are in each other.
  let levels: Int
}

/// The order of a value to a constant.
enum Comparison: UInt32 {
  case less, lessOrEqual, equal, greaterOrEqual, greater

  /// Creates the comparison of an operator such as `$lt` or `$vlt`.
  init?(_ name: String) {
    switch name.drop(while: { "$v".contains($0) }) {
    case "lt": self = .less
    case "lte": self = .lessOrEqual
    case "eq": self = .equal
    case "gte": self = .greaterOrEqual
    case "gt": self = .greater
    default: return nil
    }
  }

  /// Returns whether it holds for a value whose order to the constant is below, at or above zero.
  func holds(_ order: Int) -> Bool {
    switch self {
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .equal: order == 0
    case .greaterOrEqual: order >= 0
    case .greater: order > 0
    }
  }
}
