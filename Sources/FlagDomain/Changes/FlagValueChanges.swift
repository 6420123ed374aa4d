/// One or more changes, with the values that changed.
public struct FlagValueChange: Hashable, Sendable {
  /// The keys that the changes affect, and their causes.
  public var change: FlagChange
  /// The new values of the flags whose values changed.
  public var values: [FlagKey: FlagValue]

  /// Creates a change with values.
  public init(_ change: FlagChange, values: [FlagKey: FlagValue]) {
    self.change = change
    self.values = values
  }
}

/// The changes that affect values, together with the new values, for one consumer.
public struct FlagValueChanges: AsyncSequence, Sendable {
  /// The element: one change, or several as one, with values.
  public typealias Element = FlagValueChange

  private let changes: FlagChanges
  private let first: [FlagKey: FlagValue]
  private let read: @Sendable () -> [FlagKey: FlagValue]?

  /// Creates a sequence of changes with values.
  ///
  /// - Parameters:
  ///   - changes: The changes, subscribed to before the first read.
  ///   - read: Returns a consistent snapshot of all values; nil ends the sequence.
  public init(changes: FlagChanges, read: @escaping @Sendable () -> [FlagKey: FlagValue]?) {
    self.changes = changes
    self.read = read
    first = read() ?? [:]
  }

  /// Returns the only iterator of the sequence.
  public func makeAsyncIterator() -> Iterator {
    Iterator(changes: changes.makeAsyncIterator(), last: first, read: read)
  }

  /// The iterator, which receives the changes.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let changes: FlagChanges.Iterator
    fileprivate var last: [FlagKey: FlagValue]
    fileprivate let read: @Sendable () -> [FlagKey: FlagValue]?

    /// Returns the next change that affects a value, waiting for one; nil at the end.
    public mutating func next() async -> FlagValueChange? {
      while let change = await changes.next(isolation: nil) {
        guard let values = read() else { return nil }
        let others = values.filter { key, value in last[key] != value }
        last = values
        if !others.isEmpty { return FlagValueChange(change, values: others) }
      }
      return nil
    }
  }
}

@available(*, unavailable)
extension FlagValueChanges.Iterator: Sendable {}
