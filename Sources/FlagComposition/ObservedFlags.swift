internal import FlagDomain
internal import Observation

/// The flags that were read where Observation tracks reads.
final class ObservedFlags: Sendable {
  /// Each flag's leaf at the index of its key; nil for a flag that was not read.
  private let leaves = Locked<[Leaf?]>([])

  /// What Observation sees of one flag.
  private final class Leaf: Observable, Sendable {
    let key: FlagKey
    private let registrar = ObservationRegistrar()

    init(_ key: FlagKey) { self.key = key }

    /// Stands for the flag's value.
    private var value: Void { () }

    func access() { registrar.access(self, keyPath: \.value) }
    func notify() { registrar.withMutation(of: self, keyPath: \.value) {} }
  }
}

extension ObservedFlags {
  /// Tells Observation, where it tracks, that a flag is read.
  func access(_ key: FlagKey) { leaf(key).access() }

  /// Tells Observation that flags changed; it runs its observers here.
  func notify(_ keys: ChangedKeys) {
    let touched = leaves.withLock { leaves in leaves.compactMap { $0 }.filter { keys.contains($0.key) } }
    for leaf in touched { leaf.notify() }
  }

  private func leaf(_ key: FlagKey) -> Leaf {
    leaves.withLock { leaves in
      if key.index < leaves.count, let leaf = leaves[key.index] { return leaf }
      let leaf = Leaf(key)
      if key.index >= leaves.count { leaves += repeatElement(nil, count: key.index + 1 - leaves.count) }
      leaves[key.index] = leaf
      return leaf
    }
  }
}

/// Reads flags, and lets Observation see it.
final class TrackedFlags: FeatureFlagManager {
  let live: LiveFlags

  init(live: LiveFlags) { self.live = live }

  func variation<F: FeatureFlag>(for flag: F) -> F.Value {
    live.observed.access(flag.key)
    return live.variation(for: flag)
  }
}
