extension FlagValues where Value: FlagSet {
  /// Creates the values of a set.
  ///
  /// - Parameters:
  ///   - catalog: The flags of the set.
  ///   - changes: The changes, subscribed to before the first snapshot.
  ///   - snapshot: Takes a snapshot; nil ends the sequence.
  ///   - set: Returns the set that reads its flags from a snapshot.
  package init(
    of catalog: FlagCatalog, changes: FlagChanges, snapshot: @escaping @Sendable () -> (any FlagSnapshot)?,
    set: @escaping @Sendable (any FlagSnapshot) -> Value
  ) {
    let keys = catalog.flags.map(\.key)
    self.init(changes, where: { changed in keys.contains(where: changed.contains) }) {
      snapshot().map { (flags: $0, values: catalog.values(in: $0)) }
    } value: { reading, last, _ in
      reading.values == last?.values ? nil : set(reading.flags)
    }
  }
}

extension FlagSet {
  /// Returns the set as it is, then after each change of one of its flags: each element is a consistent snapshot.
  ///
  /// The sequence has one consumer, and ends when the consuming task is cancelled or the observer's changes end. A slow
  /// consumer may miss elements, but never the newest. Comparing values does not count as an exposure.
  ///
  /// - Parameters:
  ///   - snapshots: The source of the snapshots; the sequence retains it.
  ///   - observer: An observer whose changes cause the next snapshot.
  /// - Returns: A sequence whose first element is the set at the time of the first call of `next()`.
  public static func values(
    in snapshots: any FlagSnapshotting, following observer: any FlagObserving
  ) -> FlagValues<Self> {
    FlagValues(of: catalog, changes: observer.changes(), snapshot: { snapshots.snapshot() }) { Self($0) }
  }
}

extension NestableFlagSet {
  /// Returns the set as a group of another one, as it is, then after each change of one of its flags.
  ///
  /// - Parameters:
  ///   - flags: The flags of the group, such as `FeedFlags.flags.video`.
  ///   - snapshots: The source of the snapshots; the sequence retains it.
  ///   - observer: An observer whose changes cause the next snapshot.
  /// - Returns: A sequence whose first element is the set at the time of the first call of `next()`.
  public static func values(
    at flags: Flags, in snapshots: any FlagSnapshotting, following observer: any FlagObserving
  ) -> FlagValues<Self> {
    FlagValues(of: flags.flagCatalog, changes: observer.changes(), snapshot: { snapshots.snapshot() }) {
      Self($0, flags: flags)
    }
  }
}
