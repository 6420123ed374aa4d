import FlagDomain

/// A targeting rule, ready to be evaluated: operators resolved, paths split, references inlined.
///
/// What the format leaves out, JavaScript calls undefined; here it is nil.
///
/// Rules that stand in almost every document have no box of their own: reading a box's content copies it.
enum Rule: Equatable, Sendable {
  /// A value that stands in the rule.
  case constant(FlagValue)
  /// An argument that is not there.
  case undefined
  /// A list with rules among its elements.
  case list([Rule])
  /// A value of the data, or the fallback where the data has none.
  case variable(Variable)
  /// A value of the data whose name a rule gives.
  indirect case computedVariable(name: Rule, fallback: Rule?)
  /// Conditions and results by turns, and at the end the result without a condition.
  case condition([Rule])
  case and([Rule])
  case or([Rule])
  indirect case unary(UnaryOperator, Rule)
  case binary(BinaryOperation)
  /// A comparison of three values, each with the next.
  indirect case between(BinaryOperator, Rule, Rule, Rule)
  case variadic(VariadicOperator, [Rule])
  /// What an operator makes of the elements of a list, one by one.
  indirect case iteration(IterationOperator, over: Rule, body: Rule)
  indirect case reduction(over: Rule, body: Rule, initial: Rule?)
  case version(VersionTest)
  case split(Split)
  /// A part that cannot be evaluated, and why; it does no harm until it is reached.
  case broken(String)
}

extension Rule {
  /// The value of a rule that is nothing but a value.
  var constantValue: FlagValue? {
    if case .constant(let value) = self { value } else { nil }
  }
}
