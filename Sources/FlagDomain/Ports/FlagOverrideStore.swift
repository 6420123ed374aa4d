/// A store of overrides, which makes them persist across launches.
///
/// Every requirement may be called from any thread, and calls may overlap: the composition holds no lock meanwhile. So
/// a write may cause another one, as an observer of user defaults does that sets an override. After writes that
/// overlap, the overrides are loaded again.
public protocol FlagOverrideStore: Sendable {
  /// Returns every stored override.
  ///
  /// - Throws: An error with location and cause when the stored overrides cannot be read. They are left as they are.
  func load() throws(FlagError) -> [FlagKey: FlagValue]

  /// Stores overrides, and deletes those whose value is nil: all of them, or none.
  ///
  /// - Throws: An error when they cannot be stored. Then the overrides stored before are unchanged.
  func write(_ values: [FlagKey: FlagValue?]) throws(FlagError)

  /// Calls a closure whenever others may have changed the stored overrides, until the subscription ends.
  ///
  /// The closure may be called from any thread, without a change, and before this returns. It loads the stored
  /// overrides synchronously, so loading must not wait for the closure.
  ///
  /// - Parameter onChange: Receives an error if changes may be missed from now on.
  /// - Returns: The subscription, which ends when it is cancelled or released.
  /// - Throws: An error with the reason why changes cannot be observed.
  func subscribe(_ onChange: @escaping @Sendable (FlagError?) -> Void) throws(FlagError) -> FlagSubscription
}

extension FlagOverrideStore {
  /// Never calls the closure: for a store that nobody else writes to, or whose changes by others cannot be observed.
  public func subscribe(_ onChange: @escaping @Sendable (FlagError?) -> Void) throws(FlagError) -> FlagSubscription {
    FlagSubscription {}
  }
}
