/// A receiver of exposures: the port of an adapter that stores or sends them.
///
/// An exposure is a read of a flag that is an experiment: one whose definition has the metadata `"experiment": true`,
/// or whose declaration has `isExperiment: true`. Reads through a snapshot, a request's manager and streams of values
/// count. Inspecting a flag, ``FeatureFlagManager/peek(at:)`` and reads of all flags do not, nor does an overridden
/// value, which nobody was assigned to, nor a read for a visitor without an id.
///
/// Every requirement may be called from any thread.
public protocol ExposureTracker: Sendable {
  /// The time of day, in milliseconds since the beginning of 1970, UTC.
  var now: Int64 { get }

  /// Receives exposures, in the order of the reads.
  ///
  /// It is called on the reader's thread with no lock held, before the reader has the value; for a request, when its
  /// manager is released. It must return soon, without waiting for a file or a network, and may read flags; such
  /// a read is no exposure. A flag whose value has not changed is not reported at each read, but may be more than once.
  func track(_ exposures: [Exposure])

  /// Calls a closure whenever exposures that were reported are due to be reported again, until the subscription ends.
  ///
  /// - Parameter onExpiry: Makes the next read of each experiment an exposure again. It is called with no lock held.
  /// - Returns: The subscription. It ends when it is cancelled or released.
  func subscribe(_ onExpiry: @escaping @Sendable () -> Void) -> FlagSubscription
}
