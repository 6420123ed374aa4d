import FlagDomain

/// A least-recently-used cache of each user's last value of each experiment, and of the time its exposure lasts.
///
/// It has a fixed capacity; the least recently used entry is evicted first. The entries are a list in the order of use,
/// linked by indexes.
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
    let key: Key
    /// The last value; nil if the unit was forgotten since.
    var given: Given?
    var start: Int64
    var older: Int?
    var newer: Int?
  }

  private let capacity: Int
  private let window: Int64
  private var entries: [Entry] = []
  private var indexes: [Key: Int] = [:]
  private var oldest: Int?
  private var newest: Int?

  /// Creates a cache of a number of exposures, at least one, with a window in milliseconds.
  init(capacity: Int, window: Int64) {
    self.capacity = max(1, capacity)
    self.window = max(0, window)
  }

  /// Stores an exposure, and returns whether it counts: it is the user's first, or of another value, or the window of
  /// the last one has ended.
  mutating func insert(_ exposure: Exposure) -> Bool {
    let key = Key(flag: exposure.flag, unit: .string(exposure.unit))
    let given = Given(exposure.resolution)
    guard let index = indexes[key] else {
      add(Entry(key: key, given: given, start: exposure.time))
      return true
    }
    move(index)
    // Times may be earlier, too: requests report their reads at their end, and a clock may be set back.
    if entries[index].given == given, (exposure.time &- entries[index].start).magnitude < window { return false }
    entries[index].given = given
    entries[index].start = exposure.time
    return true
  }

  /// Lets each next exposure of a unit count.
  mutating func forget(_ unit: String) {
    for index in entries.indices where entries[index].key.unit == .string(unit) { entries[index].given = nil }
  }

  mutating func removeAll() { self = ExposureMemory(capacity: capacity, window: window) }

  private mutating func add(_ entry: Entry) {
    let index: Int
    if entries.count < capacity {
      index = entries.count
      entries.append(entry)
    } else {
      guard let last = oldest else { return }
      index = last
      unlink(index)
      indexes[entries[index].key] = nil
      entries[index] = entry
    }
    indexes[entry.key] = index
    link(index)
  }

  private mutating func move(_ index: Int) {
    guard newest != index else { return }
    unlink(index)
    link(index)
  }

  private mutating func unlink(_ index: Int) {
    let (older, newer) = (entries[index].older, entries[index].newer)
    if let older { entries[older].newer = newer } else { oldest = newer }
    if let newer { entries[newer].older = older } else { newest = older }
  }

  private mutating func link(_ index: Int) {
    entries[index].older = newest
    entries[index].newer = nil
    if let newest { entries[newest].newer = index } else { oldest = index }
    newest = index
  }
}
