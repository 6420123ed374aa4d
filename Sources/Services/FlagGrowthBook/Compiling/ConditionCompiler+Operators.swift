import FlagDefinitions
import FlagDomain
import FlagJSON

extension PayloadCompiler {
  /// Compiles an operator on a value.
  mutating func operation(_ name: String, _ operand: FlagValue, level: Int) -> UInt32 {
    switch name {
    case "$eq", "$ne":
      let test = node(.identical, tables.conditions.values.number(of: operand))
      return name == "$eq" ? test : node(.not, test)
    case "$lt", "$lte", "$gt", "$gte": return order(name, operand)
    case "$veq", "$vne", "$vlt", "$vlte", "$vgt", "$vgte": return version(name, operand)
    case "$in", "$nin", "$ini", "$nini", "$inGroup", "$notInGroup": return membership(name, operand)
    case "$all", "$alli", "$elemMatch", "$size": return elements(name, operand, level: level)
    case "$regex", "$regexi", "$notRegex", "$notRegexi": return pattern(name, operand)
    case "$exists":
      let isNull = node(.isNull)
      return Optional(operand).isTruthyInJavaScript ? node(.not, isNull) : isNull
    case "$type":
      guard case .string(let type) = operand else {
        return never("expected the name of a type, found \(operand.summary)")
      }
      return node(.type, tables.conditions.texts.number(of: type))
    case "$not": return node(.not, test(operand, level: level))
    default: return never("unknown operator, which never holds")
    }
  }

  /// Returns a test that no value passes, and reports why.
  private mutating func never(_ message: String) -> UInt32 {
    warn(message)
    return node(.never)
  }

  private mutating func order(_ name: String, _ operand: FlagValue) -> UInt32 {
    var evaluation = FeatureEvaluation(for: EvaluationContext(), nil)
    let bound: Bound
    do throws(EvaluationFailure) {
      bound = Bound(
        text: operand.isTextInJavaScript ? try evaluation.text(of: operand) : nil,
        number: try evaluation.number(of: operand))
    } catch {
      return broken("expected a number or a text, found one that is too long")
    }
    let kind: ConditionNode.Kind =
      switch name {
      case "$lt": .less
      case "$lte": .lessOrEqual
      case "$gt": .greater
      default: .greaterOrEqual
      }
    return node(kind, tables.conditions.bounds.number(of: bound))
  }

  private mutating func version(_ name: String, _ operand: FlagValue) -> UInt32 {
    let version = tables.conditions.versions.number(of: PaddedVersion(operand))
    return switch name {
    case "$veq": node(.versionIsEqual, version)
    case "$vne": node(.not, node(.versionIsEqual, version))
    case "$vlt": node(.versionIsLess, version)
    case "$vgte": node(.not, node(.versionIsLess, version))
    case "$vlte": node(.versionIsLessOrEqual, version)
    default: node(.not, node(.versionIsLessOrEqual, version))
    }
  }

  private mutating func membership(_ name: String, _ operand: FlagValue) -> UInt32 {
    let test: UInt32
    if name == "$inGroup" || name == "$notInGroup" {
      guard case .string(let id) = operand else {
        return never("expected the id of a saved group, found \(operand.summary)")
      }
      test = node(.isInGroup, groupNumber(id))
    } else {
      guard case .array(let values) = operand else { return never("expected an array, found \(operand.summary)") }
      let isFolded = name.hasSuffix("i")
      let set = tables.conditions.sets.number(of: ValueSet(values, isFolded: isFolded))
      test = node(isFolded ? .isInIgnoringCase : .isIn, set)
    }
    return name.hasPrefix("$n") ? node(.not, test) : test
  }

  private mutating func elements(_ name: String, _ operand: FlagValue, level: Int) -> UInt32 {
    switch name {
    case "$size": return node(.size, test(operand, level: level))
    case "$elemMatch":
      guard case .object(let members) = operand, !members.isEmpty, members.keys.allSatisfy({ $0.hasPrefix("$") }) else {
        return node(.elementFulfils, condition(operand, level: level))
      }
      return node(.elementPasses, test(operand, level: level))
    default:
      guard case .array(let values) = operand else { return never("expected an array, found \(operand.summary)") }
      let children = values.enumerated().map { index, value in
        at(.element(index)) { $0.test(value, level: level, ignoresCase: name == "$alli") }
      }
      return node(.containsAll, children)
    }
  }

  private mutating func pattern(_ name: String, _ operand: FlagValue) -> UInt32 {
    guard case .string(let text) = operand else {
      return never("expected a pattern, which is a string, found \(operand.summary)")
    }
    switch pattern(text, isCaseInsensitive: name.hasSuffix("i")) {
    case .invalid: return node(.never)
    case .unusable(let message): return node(.broken, message)
    case .pattern(let pattern):
      let test = node(.pattern, tables.conditions.patterns.number(of: pattern))
      return name.hasPrefix("$n") ? node(.not, test) : test
    }
  }
}
