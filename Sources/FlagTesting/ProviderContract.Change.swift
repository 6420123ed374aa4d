public import FlagDomain

extension ProviderContract {
  /// Something that makes a provider's answers differ.
  public struct Change: Sendable {
    /// What the answers are afterwards; nil is none.
    public var answers: [FlagKey: FlagValue?]
    /// Makes the change; it returns when a new snapshot shows it.
    public var make: @Sendable () async throws -> Void

    /// Creates a change.
    public init(to answers: [FlagKey: FlagValue?], _ make: @escaping @Sendable () async throws -> Void) {
      self.answers = answers
      self.make = make
    }
  }
}
