import FlagDefinitions
import FlagDomain

/// Two texts that differ in capital and small letters alone.
struct LetterCase {
  let left: String
  let right: String
}

extension FlagExplanation.Step {
  /// The first texts that a comparison found to be different, and that differ in letter case alone; nil if there are
  /// none.
  var letterCase: LetterCase? {
    guard case .object(let members) = rule, members.count == 1, let (name, argument) = members.first,
      case .array(let operands) = argument, operands.count == 2, value == .bool(["!=", "!=="].contains(name))
    else { return nil }
    let (left, right) = (texts(of: operands[0]), texts(of: operands[1]))
    for left in left {
      for right in right {
        let (small, other) = (left.lowercased(), right.lowercased())
        let isSame =
          switch name {
          case "==", "===", "!=", "!==", "in": small == other
          case "starts_with": small.hasPrefix(other)
          case "ends_with": small.hasSuffix(other)
          default: false
          }
        if isSame { return LetterCase(left: left, right: right) }
      }
    }
    return nil
  }

  /// Returns the text that an operand gave, or those of the array that it gave.
  private func texts(of operand: FlagValue) -> [String] {
    let value = if case .object = operand { parts.first { $0.rule == operand }?.value } else { Optional(operand) }
    return value?.text.map { [$0] } ?? value?.elements?.compactMap(\.text) ?? []
  }
}
