import FlagDomain

/// Why a rule gives nothing.
///
/// It is small, because every call on the way out of a nested rule keeps room for one.
enum RuleFailure: Error {
  /// A part was reached that is no rule.
  case broken(String)
  /// The rule can be read, but not be carried out.
  case failed(String)
}

extension FlagError {
  /// Creates the error that a flag gives whose rule fails.
  init(_ failure: RuleFailure) {
    switch failure {
    case .broken(let message): self.init(.parseError, message)
    case .failed(let message): self.init(.general, message)
    }
  }
}
