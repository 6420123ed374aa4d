import FlagDomain

/// The reason why the evaluation of a rule failed.
///
/// It holds no more than a number, because every call of a nested rule reserves stack for one.
enum RuleFailure: Error, Equatable {
  /// The evaluation reached a part that is not a valid rule; the program's message with this number says why.
  case broken(message: UInt32)
  /// The rule takes too long.
  case tooManySteps
  /// The rule reads or creates too many bytes.
  case tooManyBytes
  /// A reduction nests arrays or objects too deep.
  case nestsTooDeep
  /// A product has no factors.
  case noFactors
}

extension FlagError {
  init(_ failure: RuleFailure, of program: Program) {
    switch failure {
    case .broken(let message): self.init(.parseError, program.tables.messages[Int(message)])
    case .tooManySteps: self.init(.general, "the rule takes more than \(RuleLimits.steps) steps")
    case .tooManyBytes: self.init(.general, "the rule reads and makes more than \(RuleLimits.bytes) bytes")
    case .nestsTooDeep: self.init(.general, "a reduction nests more than \(RuleLimits.nesting) levels")
    case .noFactors: self.init(.general, "\"*\" needs at least one argument, found none")
    }
  }
}
