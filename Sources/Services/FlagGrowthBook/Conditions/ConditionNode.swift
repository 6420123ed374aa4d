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
    /// The value as text is the text `operand`; in lower case for `textIgnoringCase`.
    case text, textIgnoringCase
    /// The value as a number is the number `operand`.
    case number
    /// The value is not null, and truthy or falsy.
    case isTrue, isFalse
    case isNull
    /// The value has the same JSON as the value `operand`.
    case sameJSON
    /// The value is a scalar of the same type that equals the value `operand`.
    case identical
    /// The value, or one of its elements, is in the set `operand`.
    case isIn, isInIgnoringCase
    /// The value, or one of its elements, is in the saved group `operand`.
    case isInGroup
    /// The value is before or after the bound `operand`.
    case less, lessOrEqual, greater, greaterOrEqual
    /// The value is a version before, at or after the version `operand`.
    case versionIsEqual, versionIsLess, versionIsLessOrEqual
    /// The value as text has the pattern `operand`.
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
    /// The part cannot be evaluated, for the reason in the message `operand`.
    case broken
  }

  let kind: Kind
  var operand: UInt32 = 0
  var count: UInt32 = 0
}

/// A constant that values are compared with in order, converted once: text if both sides are text, else numbers.
struct Bound: Sendable {
  /// The text; nil for a null, a boolean or a number.
  let text: String?
  let number: Double
}
