internal import FlagDomain
internal import Observation

/// The flags that were read where Observation tracks reads.
final class ObservedFlags: Sendable {
  private let leaves = Locked<[FlagKey: Leaf]>([:])

  /// What Observation sees of one flag.
  private final class Leaf: Observable, Sendable {
    private let registrar = ObservationRegistrar()

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
    let touched = leaves.withLock { leaves in leaves.filter { keys.contains($0.key) }.map(\.value) }
    for leaf in touched { leaf.notify() }
  }

  private func leaf(_ key: FlagKey) -> Leaf {
    leaves.withLock { leaves in
      if let leaf = leaves[key] { return leaf }
      let leaf = Leaf()
      leaves[key] = leaf
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
