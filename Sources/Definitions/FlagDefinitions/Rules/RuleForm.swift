package enum RuleForm: Sendable {
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
