import FlagDomain

/// Each user's last value of each experiment, and the time since when it counts.
///
/// The exposures are in two generations. One that is used is put into the newer generation; when that is full, it
/// becomes the older one, and the exposures that were not used since the last such change are forgotten.
struct ExposureMemory: Sendable {
  private struct Key: Hashable {
    let flag: FlagKey
    /// The unit as a value, which is compared by code points.
    let unit: FlagValue
  }

  /// The properties that make a read a new exposure if they differ.
  private struct Given: Equatable {
    let isNamed: Bool
    let variant: FlagValue
    let version: FlagValue?

    init(_ resolution: FlagResolution<FlagValue>) {
      isNamed = resolution.variant != nil
      variant = resolution.variant.map(FlagValue.string) ?? resolution.value
      version = resolution.metadata["version"]
    }
  }

  private struct Entry {
    let given: Given
    let start: Int64
  }

  /// The maximum number of exposures in a generation.
  private let capacity: Int
  private let window: Int64
  private var newer: [Key: Entry] = [:]
  private var older: [Key: Entry] = [:]

  /// Creates a memory of a number of exposures, at least two, with a window in milliseconds.
  init(capacity: Int, window: Int64) {
    self.capacity = max(1, capacity / 2)
    self.window = max(0, window)
  }

  /// Stores an exposure, and returns whether it counts: it is the user's first, or of another value, or the window of
  /// the last one has ended.
  mutating func insert(_ exposure: Exposure) -> Bool {
    let key = Key(flag: exposure.flag, unit: .string(exposure.unit))
    let (isNew, last) = (newer[key] == nil, newer[key] ?? older[key])
    var entry = Entry(given: Given(exposure.resolution), start: exposure.time)
    var counts = true
    // Times may be earlier, too: requests report their reads at their end, and a clock may be set back.
    if let last, last.given == entry.given, (exposure.time &- last.start).magnitude < window {
      (entry, counts) = (last, false)
    }
    if isNew, newer.count >= capacity { (older, newer) = (newer, [:]) }
    newer[key] = entry
    return counts
  }

  /// Lets each next exposure of a unit count.
  mutating func forget(_ unit: String) {
    newer = newer.filter { $0.key.unit != .string(unit) }
    older = older.filter { $0.key.unit != .string(unit) }
  }

  mutating func removeAll() { (newer, older) = ([:], [:]) }
}
