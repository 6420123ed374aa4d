import FlagDomain
import Synchronization

/// A user's flags, which notes the experiments that a feature module reads.
final class Exposures: FeatureFlagManager {
  private let flags: any FlagSnapshot
  private let noted = Mutex<[Exposure]>([])

  /// What a module was given.
  struct Exposure: Equatable, Sendable {
    let flag: String
    let variant: String
    let reason: String
  }

  init(of flags: any FlagSnapshot) { self.flags = flags }

  /// The experiments that were read, each once.
  var all: [Exposure] { noted.withLock { $0 } }

  func variation<F: FeatureFlag>(for flag: F) -> F.Value {
    let resolution = flags.resolution(of: flag)
    if resolution.metadata["experiment"] == true, let variant = resolution.variant {
      let exposure = Exposure(flag: flag.key.name, variant: variant, reason: "\(resolution.reason)")
      noted.withLock { if !$0.contains(exposure) { $0.append(exposure) } }
    }
    return resolution.value
  }

  func defaultValue<F: FeatureFlag>(of flag: F) -> F.Value { flags.defaultValue(of: flag) }
}
