/// A running subscription, which ends when it is cancelled or released.
public final class FlagSubscription: Sendable {
  private let onCancel: Locked<(@Sendable () -> Void)?>

  /// Creates a subscription that calls a closure once: when it is cancelled or released.
  public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = Locked(onCancel) }

  deinit { cancel() }

  /// Ends the subscription; calling it again has no effect.
  public func cancel() {
    let onCancel = onCancel.withLock { onCancel in
      defer { onCancel = nil }
      return onCancel
    }
    onCancel?()
  }
}
