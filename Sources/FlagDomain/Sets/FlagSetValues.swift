/// A set of flags over time, for one consumer: as it is first, then after each change of its values.
///
/// An element is the set over a snapshot: its values are consistent, and never change.
///
/// ```swift
/// for await feed in client.values(of: FeedFlags.self) {
///   show(pageSize: feed.pageSize, layout: feed.layout)
/// }
/// ```
public struct FlagSetValues<Flags: FlagSet>: AsyncSequence, Sendable {
  /// The element: the set over a snapshot.
  public typealias Element = Flags

  private let changes: FlagChanges
  private let catalog: FlagCatalog
  private let make: @Sendable (any FlagSnapshot) -> Flags
  private let snapshot: @Sendable () -> (any FlagSnapshot)?
  /// The values of the previous element; nil before the first.
  private var seen: [FlagKey: FlagValue]?

  /// Creates a sequence.
  ///
  /// - Parameters:
  ///   - catalog: The flags of the set.
  ///   - changes: The changes, subscribed to before the first snapshot.
  ///   - make: Returns the set that reads its flags from a snapshot.
  ///   - snapshot: Takes a snapshot; nil ends the sequence.
  public init(
    catalog: FlagCatalog, changes: FlagChanges, make: @escaping @Sendable (any FlagSnapshot) -> Flags,
    snapshot: @escaping @Sendable () -> (any FlagSnapshot)?
  ) {
    self.catalog = catalog
    self.changes = changes
    self.make = make
    self.snapshot = snapshot
  }

  /// Returns the only iterator of the sequence.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Takes a snapshot on the calling thread, and returns the set over it and a sequence of the following ones.
  ///
  /// Call it at most once, and instead of iterating.
  ///
  /// - Returns: The set now, and later after each change of a value; nil if the sequence has ended.
  public func startingNow() -> (now: Flags, later: FlagSetValues<Flags>)? {
    guard let flags = snapshot() else { return nil }
    var later = self
    later.seen = catalog.values(in: flags)
    return (make(flags), later)
  }

  /// The iterator, which receives the set.
  ///
  /// An actor may store it and call ``next(isolation:)``. Copies share one stream of changes.
  public struct Iterator: AsyncIteratorProtocol {
    private let set: FlagSetValues
    private let changes: FlagChanges.Iterator
    private let keys: [FlagKey]
    private let taken: Taken

    /// The values of the last element that was returned.
    private final class Taken {
      var last: [FlagKey: FlagValue]?

      init(_ last: [FlagKey: FlagValue]?) { self.last = last }
    }

    fileprivate init(_ set: FlagSetValues) {
      self.set = set
      changes = set.changes.makeAsyncIterator()
      keys = set.catalog.flags.map(\.key)
      taken = Taken(set.seen)
    }

    /// Returns the set after the next change of a value, waiting for one; nil at the end.
    public mutating func next() async -> Flags? { await next(isolation: nil) }

    /// Returns the set after the next change of a value, without leaving the actor; nil at the end.
    public func next(isolation actor: isolated (any Actor)? = #isolation) async -> Flags? {
      if taken.last == nil { return set.snapshot().map { take($0, set.catalog.values(in: $0)) } }
      while let change = await changes.next(isolation: actor) {
        guard keys.contains(where: change.keys.contains) else { continue }
        guard let flags = set.snapshot() else { return nil }
        let values = set.catalog.values(in: flags)
        if values != taken.last { return take(flags, values) }
      }
      return nil
    }

    private func take(_ flags: any FlagSnapshot, _ values: [FlagKey: FlagValue]) -> Flags {
      taken.last = values
      return set.make(flags)
    }
  }
}

@available(*, unavailable)
extension FlagSetValues.Iterator: Sendable {}

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
  ) -> FlagSetValues<Self> {
    FlagSetValues(catalog: catalog, changes: observer.changes(), make: { Self($0) }, snapshot: { snapshots.snapshot() })
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
  ) -> FlagSetValues<Self> {
    FlagSetValues(
      catalog: flags.flagCatalog, changes: observer.changes(), make: { Self($0, flags: flags) },
      snapshot: { snapshots.snapshot() })
  }
}
