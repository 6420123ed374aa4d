import FlagDomain

/// The constants and variables of a document's rules, each kept once however often it stands there.
struct RulePool {
  private var constants: [FlagValue: Rule] = [:]
  private var variables: [String: Rule] = [:]
  /// Whole rules that were compiled lately, since many flags of a document often have the same.
  private var recent: [FlagValue: (source: FlagValue, rule: Rule)] = [:]
  private static let maximumRecent = 64

  /// Returns the rule that is nothing but a value.
  mutating func constant(_ value: FlagValue) -> Rule {
    if let known = constants[value], case .constant(let twin) = known, value.isTwin(of: twin) { return known }
    let rule = Rule.constant(value)
    constants[value] = rule
    return rule
  }

  /// Returns the rule that was compiled of a value lately, or nil.
  mutating func recent(_ source: FlagValue) -> Rule? {
    guard let known = recent[source], source.isTwin(of: known.source) else { return nil }
    return known.rule
  }

  /// Keeps a rule for the next flag that has the same.
  mutating func keep(_ rule: Rule, of source: FlagValue) {
    if recent.count >= Self.maximumRecent { recent.removeAll() }
    recent[source] = (source, rule)
  }

  /// Returns the rule that is a variable.
  mutating func variable(_ name: String) -> Rule {
    if let known = variables[name], case .variable(let twin) = known, twin.description.isIdentical(to: name) {
      return known
    }
    let rule = Rule.variable(Variable(name))
    variables[name] = rule
    return rule
  }
}

extension FlagValue {
  /// Returns whether a value can stand for this one everywhere; being equal is not enough.
  ///
  /// Strings of equal characters can differ in their code units, and zeros in their sign.
  fileprivate func isTwin(of other: FlagValue) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    case (.string(let left), .string(let right)): left.isIdentical(to: right)
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isTwin(of: $1) }
    case (.object(let left), .object(let right)):
      left.count == right.count
        && left.allSatisfy { name, value in
          right.index(forKey: name).map { right[$0].key.isIdentical(to: name) && value.isTwin(of: right[$0].value) }
            ?? false
        }
    default: false
    }
  }
}
