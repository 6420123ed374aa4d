public import FlagDomain

extension ProviderContract {
  /// A change of a provider's answers.
  public struct Change: Sendable {
    /// The answers after the change; nil for no answer.
    public var answers: [FlagKey: FlagValue?]
    /// A closure that makes the change.
    ///
    /// It returns when a new snapshot shows the change.
    public var make: @Sendable () async throws -> Void

    /// Creates a change.
    public init(to answers: [FlagKey: FlagValue?], _ make: @escaping @Sendable () async throws -> Void) {
      self.answers = answers
      self.make = make
    }
  }
}
