import FlagDomain
import Observation
import Synchronization

/// The flags that were read while Observation tracked reads.
///
/// Memory safety: a leaf is published with release order after it was added to the list of all leaves, which retains it
/// until the end. So a leaf that a reader finds in the table is alive, and is used without reference counting.
final class ObservedLeaves: Sendable {
  /// Each flag's leaf at the index of its key; nil for a flag that was not read.
  private let leaves = Pages<Atomic<Unmanaged<Leaf>?>>()
  private let made = Locked<[Leaf]>([])

  /// The observable representation of one flag.
  private final class Leaf: Observable, Sendable {
    let key: FlagKey
    private let registrar = ObservationRegistrar()
    /// Stored, since a key-path literal would be retained at each read.
    private let path: any KeyPath<Leaf, Void> & Sendable = \.value

    init(_ key: FlagKey) { self.key = key }

    /// The property that represents the flag's value.
    private var value: Void { () }

    func access() { registrar.access(self, keyPath: path) }
    func notify() { registrar.withMutation(of: self, keyPath: path) {} }
  }

  /// Reports a read of a flag to Observation, if it tracks reads.
  func access(_ key: FlagKey) {
    if let leaf = leaves.element(at: key.index)?.pointee.load(ordering: .acquiring) {
      leaf._withUnsafeGuaranteedRef { $0.access() }
    } else {
      make(key).access()
    }
  }

  /// Reports changes of flags to Observation, which calls its observers synchronously.
  func notify(_ keys: ChangedKeys) {
    for leaf in made.withLock({ $0.filter { keys.contains($0.key) } }) { leaf.notify() }
  }

  private func make(_ key: FlagKey) -> Leaf {
    let place = leaves.element(at: key.index) { Atomic(nil) }
    return made.withLock { made in
      if let leaf = place.pointee.load(ordering: .relaxed) { return leaf.takeUnretainedValue() }
      let leaf = Leaf(key)
      made.append(leaf)
      place.pointee.store(.passUnretained(leaf), ordering: .releasing)
      return leaf
    }
  }
}

/// A manager whose reads Observation can track.
struct ObservingManager: FeatureFlagManager, FlagInspecting {
  let flags: LiveManager

  func variation<Value>(for flag: some FeatureFlag<Value>) -> Value {
    flags.observed.access(flag.key)
    return flags.variation(for: flag)
  }

  func peek<Value>(at flag: some FeatureFlag<Value>) -> Value {
    flags.observed.access(flag.key)
    return flags.peek(at: flag)
  }

  func defaultValue<Value>(of flag: some FeatureFlag<Value>) -> Value {
    flags.observed.access(flag.key)
    return flags.defaultValue(of: flag)
  }

  func resolution<F: FeatureFlag>(of flag: F) -> FlagResolution<F.Value> {
    flags.observed.access(flag.key)
    return flags.resolution(of: flag)
  }

  func answers<F: FeatureFlag>(for flag: F) -> [ProviderAnswer<F.Value>] {
    flags.observed.access(flag.key)
    return flags.answers(for: flag)
  }
}
