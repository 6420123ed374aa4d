import FlagDomain

/// Whether the device was unlocked since it was started, before which iOS gives apps none of their protected data.
///
/// An app that is launched in the background before that, as by a push message, reads its user defaults as empty, and
/// its protected files not at all. A store that knows of it neither takes that for an answer nor writes: it throws, and
/// what depends on it is read again as soon as it can be.
///
/// ```swift
/// let protectedData = ProtectedData(isAvailable: UIApplication.shared.isProtectedDataAvailable)
/// // When UIApplication.protectedDataDidBecomeAvailableNotification is posted:
/// protectedData.becomeAvailable()
/// ```
///
/// Once it is available it stays so: what an app keeps with the usual protection can be read from the first unlock on,
/// however often the device is locked afterwards.
public final class ProtectedData: Sendable {
  private struct State: Sendable {
    var isAvailable: Bool
    var subscribers: [Int: @Sendable () -> Void] = [:]
    var nextID = 0
  }

  private let state: Locked<State>

  /// Creates the state of a device, which the app observes.
  public init(isAvailable: Bool) { state = Locked(State(isAvailable: isAvailable)) }
}

extension ProtectedData {
  /// Whether protected data can be read.
  public var isAvailable: Bool { state.withLock { $0.isAvailable } }

  /// Notes that the device was unlocked, and has everything read that could not be; on the calling thread.
  public func becomeAvailable() {
    let subscribers = state.withLock { state in
      defer { (state.isAvailable, state.subscribers) = (true, [:]) }
      return state.subscribers
    }
    for subscriber in subscribers.sorted(by: { $0.key < $1.key }) { subscriber.value() }
  }

  /// Calls a closure once, as soon as protected data can be read: at once if it can be read already.
  func subscribe(_ onAvailable: @escaping @Sendable () -> Void) -> FlagSubscription {
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
      _ = consume removed  // released outside the lock, since it may hold what ends with it
    }
  }
}
