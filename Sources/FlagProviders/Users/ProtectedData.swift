package import FlagDomain

/// The state of protected data: whether the device was unlocked since it was started, before which iOS apps cannot read
/// it.
///
/// An app that is launched in the background before that, for example by a push message, reads its user defaults as
/// empty, and cannot read its protected files. A store with this state neither trusts such a read nor writes: it
/// throws, and data that depends on it is read again as soon as possible.
///
/// ```swift
/// let protectedData = ProtectedData(isAvailable: UIApplication.shared.isProtectedDataAvailable)
/// // When UIApplication.protectedDataDidBecomeAvailableNotification is posted:
/// protectedData.becomeAvailable()
/// ```
///
/// Once available, protected data stays so: files with the default protection can be read from the first unlock on,
/// even if the device is locked afterwards.
public final class ProtectedData: Sendable {
  private struct State: Sendable {
    var isAvailable: Bool
    var subscribers: [Int: @Sendable () -> Void] = [:]
    var nextID = 0
  }

  private let state: Locked<State>

  /// Creates the state of a device, which the app observes.
  public init(isAvailable: Bool) { state = Locked(State(isAvailable: isAvailable)) }

  /// Whether protected data can be read.
  public var isAvailable: Bool { state.withLock { $0.isAvailable } }

  /// Records that the device was unlocked, and calls the subscribers, which read their data again; on the calling
  /// thread.
  public func becomeAvailable() {
    let subscribers = state.withLock { state in
      defer { (state.isAvailable, state.subscribers) = (true, [:]) }
      return state.subscribers
    }
    for subscriber in subscribers.sorted(by: { $0.key < $1.key }) { subscriber.value() }
  }

  /// Calls a closure once, as soon as protected data can be read: at once if it can be read already.
  package func subscribe(_ onAvailable: @escaping @Sendable () -> Void) -> FlagSubscription {
    let id: Int? = state.withLock { state in
      guard !state.isAvailable else { return nil }
      defer { state.nextID += 1 }
      state.subscribers[state.nextID] = onAvailable
      return state.nextID
    }
    guard let id else {
      onAvailable()
      return FlagSubscription {}
    }
    return FlagSubscription { [weak self] in
      let removed = self?.state.withLock { $0.subscribers.removeValue(forKey: id) }
      _ = consume removed  // released outside the lock, since its deinit may run other code
    }
  }
}
