import FlagDomain

/// One evaluation of one flag's rule.
///
/// Where a value is nil, it is what JavaScript calls undefined. Rules nest, and so do the calls here: the functions on
/// the way from a rule to its parts are kept small, so that the deepest rule fits a small thread's stack.
struct Evaluation {
  let flagKey: String
  let context: EvaluationContext
  let seconds: Int64
  let bucketing: Bucketing
  /// The steps so far; nil where no one asks for them.
  var trace: Trace?
  private var stepsLeft = Self.maximumSteps

  init(
    of flagKey: String, in context: EvaluationContext, at seconds: Int64, bucketing: Bucketing, trace: Trace? = nil
  ) {
    self.flagKey = flagKey
    self.context = context
    self.seconds = seconds
    self.bucketing = bucketing
    self.trace = trace
  }
}

extension Evaluation {
  /// The most steps before an evaluation is given up; one is an operation, or a small piece of a long one.
  static let maximumSteps = 10_000_000

  /// Returns what a rule gives.
  mutating func value(of rule: Rule, in scope: Scope) throws(RuleFailure) -> FlagValue? {
    try charge(1)
    trace?.willEvaluate(rule)
    let value = try untracedValue(of: rule, in: scope)
    trace?.didEvaluate(to: value)
    return value
  }

  /// Returns what rules give, one after the other.
  mutating func values(of rules: [Rule], in scope: Scope) throws(RuleFailure) -> [FlagValue?] {
    var values: [FlagValue?] = []
    values.reserveCapacity(rules.count)
    for rule in rules { try values.append(value(of: rule, in: scope)) }
    return values
  }

  /// Counts steps, and gives up when there are too many.
  mutating func charge(_ steps: Int) throws(RuleFailure) {
    stepsLeft -= steps
    if stepsLeft < 0 { throw RuleFailure.failed("the rule takes more than \(Self.maximumSteps) steps") }
  }

  private mutating func untracedValue(of rule: Rule, in scope: Scope) throws(RuleFailure) -> FlagValue? {
    switch rule {
    case .constant(let value): return value
    case .undefined: return nil
    case .broken(let reason): throw RuleFailure.broken(reason)
    case .variable, .computedVariable: return try variableValue(of: rule, in: scope)
    case .list, .condition, .and, .or: return try branchValue(of: rule, in: scope)
    case .unary, .binary, .between, .variadic: return try operatorValue(of: rule, in: scope)
    case .iteration, .reduction: return try iterationValue(of: rule, in: scope)
    case .version, .split: return try flagValue(of: rule, in: scope)
    }
  }
}
