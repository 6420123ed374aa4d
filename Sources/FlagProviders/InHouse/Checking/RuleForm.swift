/// What the format's schema wants of an operator's argument.
enum RuleForm {
  /// A list of so many operands; from so many upwards where there is no upper bound.
  case operands(Int, Int?)
  /// One operand, alone or in a list.
  case operand
  /// The name of a variable, or a list of the name and a fallback.
  case variable
  /// A list of names.
  case names
  /// A list of a number and a list of names.
  case numberAndNames
  /// A list of two texts, or rules that give some.
  case texts
  /// A list of two versions, or variables, with a relation between them.
  case versions
  /// A list of shares, or of a rule and shares.
  case shares
}

extension RuleForm {
  /// The form that each operator has.
  static let all: [String: RuleForm] = {
    var forms: [String: RuleForm] = [
      "var": .variable, "missing": .names, "missing_some": .numberAndNames, "!": .operand, "!!": .operand,
      "*": .operands(2, nil), "reduce": .operands(3, 3), "starts_with": .texts, "ends_with": .texts,
      "sem_ver": .versions, "fractional": .shares,
    ]
    for name in ["substr", "<", "<="] { forms[name] = .operands(2, 3) }
    for name in ["if", "or", "and", "+", "-", "max", "min", "merge", "cat"] { forms[name] = .operands(1, nil) }
    for name in ["==", "===", "!=", "!==", ">", ">=", "%", "/", "in", "map", "filter", "all", "none", "some"] {
      forms[name] = .operands(2, 2)
    }
    return forms
  }()
}
