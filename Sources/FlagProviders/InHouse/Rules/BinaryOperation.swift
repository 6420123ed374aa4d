/// An operator and its two operands.
///
/// It is an object, so that an evaluation takes hold of it without copying its parts.
final class BinaryOperation: Sendable {
  let name: BinaryOperator
  let left: Rule
  let right: Rule

  init(_ name: BinaryOperator, _ left: Rule, _ right: Rule) {
    self.name = name
    self.left = left
    self.right = right
  }

  /// Whether both operands are nothing but values.
  var isConstant: Bool { left.constantValue != nil && right.constantValue != nil }
}

extension BinaryOperation: Equatable {
  static func == (left: BinaryOperation, right: BinaryOperation) -> Bool {
    left === right || left.name == right.name && left.left == right.left && left.right == right.right
  }
}
