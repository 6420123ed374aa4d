import FlagDomain

/// Which value each user was given last of each experiment, and until when a further read is the same exposure.
///
/// It holds a number of entries; the one that was used longest ago makes room. The entries are a list in the order of
/// their use, linked by their indexes.
struct ExposureMemory: Sendable {
  private struct Key: Hashable {
    let flag: FlagKey
    /// As a value, which is compared by code points.
    let unit: FlagValue
  }

  /// What makes a read another exposure.
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
    var given: Given
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

  /// Creates a memory of a number of exposures, at least one, for so many milliseconds.
  init(capacity: Int, window: Int64) {
    self.capacity = max(1, capacity)
    self.window = max(0, window)
  }
}

extension ExposureMemory {
  /// Remembers an exposure, and returns whether it counts: it is the user's first, or of another value, or the window
  /// of the last one has ended.
  mutating func insert(_ exposure: Exposure) -> Bool {
    let key = Key(flag: exposure.flag, unit: .string(exposure.unit))
    let given = Given(exposure.resolution)
    guard let index = indexes[key] else {
      add(Entry(key: key, given: given, start: exposure.time))
      return true
    }
    move(index)
    // Earlier, too: requests tell of their reads at their end, and a clock may be set back.
    if entries[index].given == given, (exposure.time &- entries[index].start).magnitude < window { return false }
    entries[index].given = given
    entries[index].start = exposure.time
    return true
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
