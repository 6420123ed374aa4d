/// One part of a compiled rule: an operation, and the range of the parts that it operates on.
///
/// It holds only numbers, so copying it updates no reference count that threads share. The parts of an instruction are
/// next to each other among the program's instructions.
package struct Instruction: Sendable {
  package enum Kind: UInt8, Sendable {
    /// A missing argument.
    case undefined
    /// The value number `payload`.
    case constant
    /// The array of the strings of the set number `payload`, as a part of the operation that uses the set.
    case strings
    /// An array of the parts' values.
    case list
    /// The variable number `payload`, or the first part if the data has no such value.
    case variable
    /// The result of the operator for the parts.
    case operation
    /// A part that cannot be evaluated; the message number `payload` says why.
    case broken
  }

  package enum Shortcut: UInt8, Sendable {
    case none
    /// The second part is an array of strings, the set number `payload`.
    case set
    /// The second part is a string, number `payload`.
    case text
    /// The second part is one of the relations, and the third a version, number `payload`.
    case version
    /// All shares have constant weights and results; they are stored as the split number `payload`, and not as parts.
    case split
  }

  struct Traits: OptionSet, Sendable {
    let rawValue: UInt8
    static let isTrue = Traits(rawValue: 1)
    /// Its value may be an array or object that the rule creates.
    static let isNew = Traits(rawValue: 2)
    static let readsTime = Traits(rawValue: 4)
    /// A constant that can be a variant's name: `first` is the number of its text.
    static let isName = Traits(rawValue: 8)
    /// It may depend on the time in other ways than by comparing it with numbers.
    static let readsTimeFreely = Traits(rawValue: 16)
    /// A shared value that is no rule.
    static let isNoRule = Traits(rawValue: 32)
    /// An operation that gives true or false, or null because of invalid operands.
    static let isTest = Traits(rawValue: 64)
    static let time: Traits = [.readsTime, .readsTimeFreely]
  }

  package var kind: Kind
  package var name = Operator.variable
  package var shortcut = Shortcut.none
  var traits: Traits = []
  package var first: UInt32 = 0
  package var count: UInt32 = 0
  /// The number of the item that the kind or the shortcut refers to.
  package var payload: UInt32 = 0

  static let undefined = Instruction(kind: .undefined)

  package var isConstant: Bool { kind == .constant }

  var isValue: Bool { kind == .constant || kind == .strings }

  package var parts: Range<Int> { unsafe Range(uncheckedBounds: (Int(first), Int(first) + Int(count))) }
}
