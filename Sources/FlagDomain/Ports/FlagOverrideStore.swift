/// Stores overrides, so that they last when the program restarts.
///
/// Every requirement may be called from any thread; the composition makes one call of `load` and `write` at a time.
public protocol FlagOverrideStore: Sendable {
  /// Returns every stored override.
  ///
  /// - Throws: An error with location and cause when the stored overrides cannot be read. They are left as they are.
  func load() throws(FlagError) -> [FlagKey: FlagValue]

  /// Stores overrides, and deletes those whose value is nil: all of them, or none.
  ///
  /// - Throws: An error when they cannot be stored. Then what was stored before is unchanged.
  func write(_ values: [FlagKey: FlagValue?]) throws(FlagError)

  /// Calls a closure whenever others may have changed what is stored, until the subscription ends.
  ///
  /// The closure may be called from any thread, without need, and before this returns. It loads what is stored then, so
  /// that is loaded without waiting for it.
  ///
  /// - Parameter onChange: Is handed an error where changes may be missed from now on.
  /// - Returns: What ends the subscription, when it is cancelled or let go of.
  /// - Throws: An error that says why changes cannot be noticed.
  func subscribe(_ onChange: @escaping @Sendable (FlagError?) -> Void) throws(FlagError) -> FlagSubscription
}

extension FlagOverrideStore {
  /// Never calls the closure: for a store that nobody else writes to, or whose changes by others nobody tells of.
  public func subscribe(_ onChange: @escaping @Sendable (FlagError?) -> Void) throws(FlagError) -> FlagSubscription {
    FlagSubscription {}
  }
}
