import FlagDefinitions

/// The form of an operator's argument in the format's schema.
enum RuleForm: Sendable {
  /// An array with a minimum and maximum number of operands; nil for no maximum.
  case operands(Int, Int?)
  /// One operand, alone or in an array.
  case operand
  /// The name of a variable, or an array of the name and a fallback.
  case variable
  /// An array of names.
  case names
  /// An array of a number and an array of names.
  case numberAndNames
  /// An array of two strings, or of rules that give strings.
  case texts
  /// An array of two versions, or variables, with a relation between them.
  case versions
  /// An array of shares, or of a rule and shares.
  case shares
}

extension Operator {
  /// The operators of the format's schema, by name.
  static let known = Dictionary(uniqueKeysWithValues: allCases.filter { $0.form != nil }.map { ($0.name, $0) })

  /// The form of its argument; nil if the operator is not in the schema.
  var form: RuleForm? {
    switch self {
    case .variable: .variable
    case .missing: .names
    case .missingSome: .numberAndNames
    case .not, .truth: .operand
    case .condition, .and, .or, .plus, .minus, .min, .max, .concatenate, .merge: .operands(1, nil)
    case .times: .operands(2, nil)
    case .equal, .identical, .notEqual, .notIdentical, .greater, .greaterOrEqual, .divide, .remainder, .in, .map,
      .filter, .all, .none, .some:
      .operands(2, 2)
    case .less, .lessOrEqual, .substring: .operands(2, 3)
    case .reduce: .operands(3, 3)
    case .startsWith, .endsWith: .texts
    case .version: .versions
    case .fractional: .shares
    case .log: nil
    }
  }
}
