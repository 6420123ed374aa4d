/// Values over time, for one consumer: the current one first, then each that differs from the one before.
///
/// They are the values of a flag, a set of flags over one snapshot after the other, or what changed each time.
public struct FlagValues<Value: Sendable>: AsyncSequence, Sendable {
  /// The element: a value.
  public typealias Element = Value

  private let changes: FlagChanges
  /// Begins to read: returns a function that is called first without a change, and then after each.
  private let begin: @Sendable () -> @Sendable (FlagChange?) -> Outcome

  fileprivate enum Outcome {
    case value(Value), unchanged, end
  }

  private final class Last<Reading: Sendable>: Sendable {
    let reading: Locked<Reading?>

    init(_ reading: Reading?) { self.reading = Locked(reading) }
  }

  private init(_ changes: FlagChanges, _ begin: @escaping @Sendable () -> @Sendable (FlagChange?) -> Outcome) {
    (self.changes, self.begin) = (changes, begin)
  }

  /// Creates a sequence.
  ///
  /// - Parameters:
  ///   - changes: The changes, subscribed to before the first reading.
  ///   - first: The reading that the first value differs from; nil to begin with the current value.
  ///   - concerns: Whether to read after a change of some keys.
  ///   - read: Reads at one moment; nil ends the sequence.
  ///   - value: Returns the value of a reading; nil if it is that of the last one.
  init<Reading: Sendable>(
    _ changes: FlagChanges, after first: Reading? = nil,
    where concerns: @escaping @Sendable (ChangedKeys) -> Bool = { _ in true },
    read: @escaping @Sendable () -> Reading?,
    value: @escaping @Sendable (_ reading: Reading, _ last: Reading?, _ change: FlagChange?) -> Value?
  ) {
    self.init(changes) {
      let last = Last(first)
      return { change in
        let before = last.reading.withLock { $0 }
        guard change.map({ concerns($0.keys) }) ?? (before == nil) else { return .unchanged }
        guard let reading = read() else { return .end }
        last.reading.withLock { $0 = reading }
        return value(reading, before, change).map(Outcome.value) ?? .unchanged
      }
    }
  }

  /// Returns the only iterator of the sequence.
  public func makeAsyncIterator() -> Iterator { Iterator(changes: changes.makeAsyncIterator(), read: begin()) }

  /// Reads on the calling thread, and returns the value and a sequence of the following ones.
  ///
  /// Call it at most once, and instead of iterating.
  ///
  /// - Returns: The current value, and the later values that differ from the one before; nil if the sequence has ended.
  public func startingNow() -> (now: Value, later: FlagValues<Value>)? {
    let read = begin()
    guard case .value(let now) = read(nil) else { return nil }
    return (now, FlagValues(changes) { read })
  }

  /// The iterator, which receives the values.
  ///
  /// An actor may store it and call ``next(isolation:)``. Copies share one stream of values.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let changes: FlagChanges.Iterator
    fileprivate let read: @Sendable (FlagChange?) -> Outcome

    /// Returns the next value, waiting for one that differs; nil at the end.
    public mutating func next() async -> Value? { await next(isolation: nil) }

    /// Returns the next value, waiting for one that differs, without leaving the actor; nil at the end.
    public func next(isolation actor: isolated (any Actor)? = #isolation) async -> Value? {
      var outcome = read(nil)
      while true {
        switch outcome {
        case .value(let value): return value
        case .end: return nil
        case .unchanged:
          guard let change = await changes.next(isolation: actor) else { return nil }
          outcome = read(change)
        }
      }
    }
  }
}

@available(*, unavailable)
extension FlagValues.Iterator: Sendable {}

extension FlagValues where Value: Equatable {
  /// Creates the values of a flag from a subscription to changes and a closure that reads the flag; nil ends them.
  public init(of flag: some FeatureFlag<Value>, changes: FlagChanges, read: @escaping @Sendable () -> Value?) {
    // A flag that follows from others has no keys that are known.
    let key = flag.metadata.isDerived ? nil : flag.key
    self.init(changes, where: { keys in key.map(keys.contains) ?? true }, read: read) { value, last, _ in
      last.map { areSame(value, $0) } == true ? nil : value
    }
  }
}

extension FlagValues<FlagValueChange> {
  /// Creates the changes that affect values, given a closure that returns all values at one moment; nil ends them.
  package init(changes: FlagChanges, read: @escaping @Sendable () -> [FlagKey: FlagValue]?) {
    self.init(changes, after: read() ?? [:], read: read) { values, last, change in
      let new = values.filter { key, value in last?[key] != value }
      return new.isEmpty ? nil : change.map { FlagValueChange($0, values: new) }
    }
  }
}

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
