/// The port for changing attributes that do not depend on the user, such as consent, locale or app state.
///
/// A change takes effect at once, and observers are notified. Every requirement may be called from any thread.
public protocol FlagContextUpdating: Sendable {
  /// The attributes that do not depend on the user, as targeting rules see them.
  var attributes: [String: FlagValue] { get }

  /// Sets some attributes and removes others, in one change; the others stay.
  func updateAttributes(_ values: [String: FlagValue], removing names: Set<String>)

  /// Sets the visitor's id, by which rollouts assign visitors, and which stays while users sign in and out; nil removes
  /// it.
  func setAnonymousID(_ id: String?)
}

extension FlagContextUpdating {
  /// Sets an attribute.
  public func setAttribute(_ value: some FlagAttribute, for name: String) {
    updateAttributes([name: value.attributeValue], removing: [])
  }

  /// Removes an attribute.
  public func removeAttribute(_ name: String) { updateAttributes([:], removing: [name]) }
}
