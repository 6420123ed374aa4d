import FlagDomain
import Observation
import Synchronization

/// The flags that were read while Observation tracked reads.
///
/// Memory safety: a leaf is published with release order after it was added to the table of all leaves, which retains
/// it until the end. So a leaf that a reader finds is alive, and is used without reference counting.
@safe
final class ObservedLeaves: Sendable {
  /// Each flag's leaf at the index of its key; nil for a flag that was not read.
  private let leaves = unsafe Pages<Atomic<Unmanaged<Leaf>?>>()
  /// All leaves, by the names of their flags; names that only differ in their Unicode form share an entry.
  private let made = Locked<[String: [Leaf]]>([:])

  /// The observable representation of one flag.
  private final class Leaf: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    /// Represents the flag's value; a path without components takes the least time to hash.
    ///
    /// Stored, since a key-path literal would be retained at each read.
    private let path: any KeyPath<Leaf, Leaf> & Sendable = \Leaf.self

    func access() { registrar.access(self, keyPath: path) }
    func notify() { registrar.withMutation(of: self, keyPath: path) {} }
  }

  /// Reports a read of a flag to Observation, if it tracks reads.
  func access(_ key: FlagKey) {
    if let leaf = unsafe leaves.element(at: key.index)?.pointee.load(ordering: .acquiring) {
      unsafe leaf._withUnsafeGuaranteedRef { $0.access() }
    } else {
      make(key).access()
    }
  }

  /// Reports changes of flags to Observation, which calls its observers synchronously.
  func notify(_ keys: ChangedKeys) {
    for leaves in made.withLock({ keys.members(of: $0) }) {
      for leaf in leaves { leaf.notify() }
    }
  }

  private func make(_ key: FlagKey) -> Leaf {
    let place = unsafe leaves.element(at: key.index) { unsafe Atomic(nil) }
    return made.withLock { made in
      if let leaf = unsafe place.pointee.load(ordering: .relaxed) { return unsafe leaf.takeUnretainedValue() }
      let leaf = Leaf()
      made[key.name, default: []].append(leaf)
      unsafe place.pointee.store(.passUnretained(leaf), ordering: .releasing)
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
