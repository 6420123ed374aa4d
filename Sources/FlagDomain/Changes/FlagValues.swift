/// The values of one flag, for one consumer: the current one first, then each that differs from the one before.
public struct FlagValues<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  /// The element: a value of the flag.
  public typealias Element = Value

  private let changes: FlagChanges
  private let key: FlagKey
  private let read: @Sendable () -> Value?

  /// Creates the values of a flag from changes that were subscribed to before, and a way to read it; nil ends them.
  public init(key: FlagKey, changes: FlagChanges, read: @escaping @Sendable () -> Value?) {
    self.key = key
    self.changes = changes
    self.read = read
  }

  /// Returns the one iterator of the sequence.
  public func makeAsyncIterator() -> Iterator {
    Iterator(key: key, changes: changes.makeAsyncIterator(), read: read)
  }

  /// Receives the values.
  ///
  /// An actor may store it and call ``next(isolation:)``. Copies share one stream of values.
  public struct Iterator: AsyncIteratorProtocol {
    private let key: FlagKey
    private let changes: FlagChanges.Iterator
    private let read: @Sendable () -> Value?
    private let taken = Taken()

    /// The value that was returned last.
    private final class Taken {
      var last: Value?
    }

    fileprivate init(key: FlagKey, changes: FlagChanges.Iterator, read: @escaping @Sendable () -> Value?) {
      self.key = key
      self.changes = changes
      self.read = read
    }

    /// Returns the next value, waiting for one that differs; nil at the end.
    public mutating func next() async -> Value? { await next(isolation: nil) }

    /// Returns the next value, waiting for one that differs, without leaving the actor; nil at the end.
    public func next(isolation actor: isolated (any Actor)? = #isolation) async -> Value? {
      guard let last = taken.last else { return read().map { take($0) } }
      while let change = await changes.next(isolation: actor) {
        guard change.keys.contains(key) else { continue }
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
