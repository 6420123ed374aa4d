/// A running subscription, which ends when it is cancelled or released.
public final class FlagSubscription: Sendable {
  private let onCancel: @Sendable () -> Void

  /// Creates a subscription that calls a closure each time it is cancelled, and when it is released.
  public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

  deinit { onCancel() }

  /// Ends the subscription.
  ///
  /// Calling it again has no effect on a subscription of this package.
  public func cancel() { onCancel() }
}
