import FlagDomain

/// Why a rule gives nothing.
///
/// It holds no more than a number, because every call on the way out of a nested rule keeps room for one.
enum RuleFailure: Error, Equatable {
  /// A part was reached that is no rule; the program's message of this number says why.
  case broken(message: UInt32)
  /// The rule takes too long.
  case tooManySteps
  /// The rule reads or makes too much.
  case tooManyBytes
  /// A reduction puts arrays or objects into each other.
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
