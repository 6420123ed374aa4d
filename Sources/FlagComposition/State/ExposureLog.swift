import FlagDomain

/// The exposures of one snapshot, once per flag, read and added to without a lock.
///
/// A request's manager reports them when it is released, so that its reads do not write to memory that other cores
/// write; a snapshot that may live long reports them at once.
final class ExposureLog: Sendable {
  private let exposures = GrowingList<Declaration, Exposure>()
  private let tracker: any ExposureTracker
  private let listeners: Listeners
  private let isGathering: Bool

  /// Creates a log.
  ///
  /// - Parameters:
  ///   - tracker: Receives the exposures.
  ///   - listeners: The listeners that the tracker is one of.
  ///   - isGathering: Whether exposures are reported together when the log is released, or each at once.
  init(_ tracker: any ExposureTracker, _ listeners: Listeners, isGathering: Bool) {
    self.tracker = tracker
    self.listeners = listeners
    self.isGathering = isGathering
  }

  deinit {
    guard isGathering else { return }
    let exposures = exposures.elements.map(\.value)
    if !exposures.isEmpty { listeners.call { tracker.track(exposures) } }
  }

  func contains(_ flag: some FeatureFlag) -> Bool { exposures.contains(Declaration(flag)) }

  /// Adds a flag's exposure, unless the log has one.
  func add(_ exposure: Exposure, of flag: some FeatureFlag) {
    if exposures.add(exposure, for: Declaration(flag)), !isGathering { tracker.track([exposure]) }
  }
}

/// The identity of a declaration, which distinguishes flags with the same key.
struct Declaration: Hashable {
  private let key: FlagKey
  private let slot: Int
  private let type: ObjectIdentifier

  init<F: FeatureFlag>(_ flag: F) {
    key = flag.key
    slot = key.slot
    type = ObjectIdentifier(F.self)
  }
}
