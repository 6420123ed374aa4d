import FlagDomain
import Synchronization

/// The exposures of one snapshot, once per flag, read and added to without a lock.
///
/// A request's manager reports them when it is released, so that its reads do not write to memory that other cores
/// write; a snapshot that may live long reports them at once.
///
/// Memory safety: a node never changes. It is published by a compare-exchange with release order, read with acquire
/// order, and released in `deinit`, when no thread can be inside a method, since the caller retains the log.
final class ExposureLog: Sendable {
  private let last = Atomic<Unmanaged<Node>?>(nil)
  private let tracker: any ExposureTracker
  private let listeners: Listeners
  private let isGathering: Bool

  private final class Node: Sendable {
    let declaration: Declaration
    let exposure: Exposure
    let previous: Unmanaged<Node>?

    init(_ declaration: Declaration, _ exposure: Exposure, after previous: Unmanaged<Node>?) {
      self.declaration = declaration
      self.exposure = exposure
      self.previous = previous
    }
  }

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
    var exposures: [Exposure] = []
    var node = last.load(ordering: .acquiring)
    while let current = node {
      let released = current.takeRetainedValue()
      if isGathering { exposures.append(released.exposure) }
      node = released.previous
    }
    if !exposures.isEmpty { listeners.call { tracker.track(exposures.reversed()) } }
  }

  func contains(_ flag: some FeatureFlag) -> Bool {
    Self.contains(Declaration(flag), upTo: last.load(ordering: .acquiring))
  }

  /// Adds a flag's exposure, unless the log has one.
  func add(_ exposure: Exposure, of flag: some FeatureFlag) {
    let declaration = Declaration(flag)
    var previous = last.load(ordering: .acquiring)
    while !Self.contains(declaration, upTo: previous) {
      let node = Unmanaged.passRetained(Node(declaration, exposure, after: previous))
      let (isAdded, now) = last.compareExchange(
        expected: previous, desired: node, ordering: .acquiringAndReleasing)
      if isAdded {
        if !isGathering { tracker.track([exposure]) }
        return
      }
      node.release()
      previous = now
    }
  }

  private static func contains(_ declaration: Declaration, upTo last: Unmanaged<Node>?) -> Bool {
    var node = last
    while let current = node {
      let (known, previous) = current._withUnsafeGuaranteedRef { ($0.declaration, $0.previous) }
      if known == declaration { return true }
      node = previous
    }
    return false
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
