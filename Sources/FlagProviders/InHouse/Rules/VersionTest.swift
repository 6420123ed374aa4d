import FlagDomain

/// A comparison of two versions, which may be written in the rule or come from the data.
///
/// It is an object, so that an evaluation takes hold of it without copying its parts.
final class VersionTest: Sendable {
  /// How the versions are compared.
  enum Relation: String, CaseIterable, Sendable {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case sameMajor = "^"
    case sameMinor = "~"
  }

  /// A version that was read when the rule was compiled, or a rule that gives one.
  enum Operand: Equatable, Sendable {
    indirect case version(SemanticVersion, text: FlagValue)
    case rule(Rule)
  }

  let left: Operand
  let relation: Relation
  let right: Operand

  init(left: Operand, relation: Relation, right: Operand) {
    self.left = left
    self.relation = relation
    self.right = right
  }
}

extension VersionTest: Equatable {
  static func == (left: VersionTest, right: VersionTest) -> Bool {
    left === right || left.relation == right.relation && left.left == right.left && left.right == right.right
  }
}

extension VersionTest.Relation {
  /// Returns whether the relation holds between two versions.
  func holds(_ left: SemanticVersion, _ right: SemanticVersion) -> Bool {
    switch self {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    case .sameMajor: left.sharesMajor(with: right)
    case .sameMinor: left.sharesMinor(with: right)
    }
  }
}

extension SemanticVersion {
  /// Reads the version that a value stands for: text, or a number such as 1.2.
  init?(_ value: FlagValue?) {
    switch value {
    case .string(let text): self.init(text)
    case .int, .double: self.init(value.text)
    default: return nil
    }
  }
}
