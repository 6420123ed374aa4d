/// A provider whose values can be set, such as a dictionary or a store of settings.
public protocol WritableFlagProvider: FlagProvider {
  /// Sets and removes values, all of them or none.
  ///
  /// After the call returns, a new snapshot shows every change; no snapshot shows only some of them. Writes from
  /// several threads take effect one after the other.
  ///
  /// - Parameter values: The new value of each key; nil removes the key's value, an explicit null is stored.
  /// - Throws: A `FlagError` when the values cannot be stored. Then nothing has changed.
  func write(_ values: [FlagKey: FlagValue?]) throws(FlagError)
}

extension WritableFlagProvider {
  /// Sets the value of one key; nil removes it.
  public func write(_ value: FlagValue?, for key: FlagKey) throws(FlagError) { try write([key: value]) }
}
