/// The values of one flag, for one consumer: the current one first, then each that differs from the one before.
public struct FlagValues<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  /// The element: a value of the flag.
  public typealias Element = Value

  private let changes: FlagChanges
  /// The key; nil to read after each change, since a flag that follows from others has no keys that are known.
  private let key: FlagKey?
  private let read: @Sendable () -> Value?
  /// The previous value; nil before the first.
  private var seen: Value?

  /// Creates the values of a flag from a subscription to changes and a closure that reads the flag; nil ends them.
  public init(key: FlagKey, changes: FlagChanges, read: @escaping @Sendable () -> Value?) {
    self.key = key
    self.changes = changes
    self.read = read
  }

  /// Creates the values of a flag, which may follow from others.
  package init(of flag: some FeatureFlag, changes: FlagChanges, read: @escaping @Sendable () -> Value?) {
    key = flag.metadata.isDerived ? nil : flag.key
    self.changes = changes
    self.read = read
  }

  /// Returns the only iterator of the sequence.
  public func makeAsyncIterator() -> Iterator {
    Iterator(key: key, changes: changes.makeAsyncIterator(), read: read, taken: Iterator.Taken(seen))
  }

  /// Reads the flag on the calling thread, and returns its value and a sequence of the following ones.
  ///
  /// Call it at most once, and instead of iterating.
  ///
  /// - Returns: The current value, and the later values that differ from the one before; nil if the sequence has ended.
  public func startingNow() -> (now: Value, later: FlagValues<Value>)? {
    guard let now = read() else { return nil }
    var later = self
    later.seen = now
    return (now, later)
  }

  /// The iterator, which receives the values.
  ///
  /// An actor may store it and call ``next(isolation:)``. Copies share one stream of values.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let key: FlagKey?
    fileprivate let changes: FlagChanges.Iterator
    fileprivate let read: @Sendable () -> Value?
    fileprivate let taken: Taken

    /// The last value that was returned.
    fileprivate final class Taken {
      var last: Value?

      init(_ last: Value?) { self.last = last }
    }

    /// Returns the next value, waiting for one that differs; nil at the end.
    public mutating func next() async -> Value? { await next(isolation: nil) }

    /// Returns the next value, waiting for one that differs, without leaving the actor; nil at the end.
    public func next(isolation actor: isolated (any Actor)? = #isolation) async -> Value? {
      guard let last = taken.last else { return read().map { take($0) } }
      while let change = await changes.next(isolation: actor) {
        if let key, !change.keys.contains(key) { continue }
        guard let value = read() else { return nil }
        guard !areSame(value, last) else { continue }
        return take(value)
      }
      return nil
    }

    private func take(_ value: Value) -> Value {
      taken.last = value
      return value
    }
  }
}

@available(*, unavailable)
extension FlagValues.Iterator: Sendable {}
