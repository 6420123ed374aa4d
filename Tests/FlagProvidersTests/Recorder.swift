import FlagDomain

/// Takes down what happened, in order.
final class Recorder<Event: Sendable>: Sendable {
  private let recorded = Locked<[Event]>([])

  var events: [Event] { recorded.withLock { $0 } }

  func record(_ event: Event) { recorded.withLock { $0.append(event) } }
}

extension ProviderSnapshot {
  /// Returns the value for a user, if there is a usable one.
  func value(of key: FlagKey, for user: FlagUser? = nil) -> FlagValue? {
    do throws(FlagError) {
      return try answer(for: key, in: EvaluationContext(user: user))?.value
    } catch {
      return nil
    }
  }
}
