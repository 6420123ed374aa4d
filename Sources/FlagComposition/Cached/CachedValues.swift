import FlagDomain

/// A cache of flags' values in a state, read without a lock and without a write to memory that threads share.
///
/// A value is found by the slot of its flag's key. It is stored with the flag's type and the revision that it was
/// resolved in; a read names the revision that it needs, so a change makes every value stale by incrementing the
/// revision, and touches none. See `Docs/Performance.md` for the technique, and for alternatives that were measured.
///
/// | value | stored |
/// |---|---|
/// | two words without references, and text of up to 15 bytes | once, in words that all threads read |
/// | any other | by each thread, in a table of its own |
/// | an object, and any other read by a thread without a number | in tables behind locks |
///
/// The unsafe constructs are in ``CachedWords``, ``CachedBoxes``, ``Pages`` and ``PerThread``, each with its proof.
/// `CachedValuesTests` run readers against writers under the thread sanitizer.
final class CachedValues: Sendable {
  private let words = Pages<CachedWords>()
  private let boxes = PerThread(CachedBoxes.init)
  private let shared = (0..<8).map { _ in SharedBoxes() }

  private final class SharedBoxes: Sendable {
    let boxes = Locked(CachedBoxes())
  }

  private struct Missing: Error {}

  /// Returns the value that a flag had in a revision, or the result of `missing` if it is not cached.
  ///
  /// Callers are generic code that is not specialized. So there is no optional of the value here, and no class that is
  /// generic over it: looking up their metadata at each read took twice as long as everything else.
  ///
  /// - Parameters:
  ///   - index: The flag's slot.
  ///   - owner: The flag's type, whose values are of the requested type.
  ///   - revision: The revision of the requested value.
  ///   - missing: Returns the value if it is not cached.
  /// - Returns: The value.
  @inline(__always)
  func value<Value: Sendable>(
    at index: Int, of owner: Any.Type, revision: @autoclosure () -> UInt64, else missing: () throws -> Value
  ) rethrows -> Value {
    let isPlain = Words.canHold(Value.self)
    if !isPlain, let storage = unsafe boxes.held?.pointee.findFirst(index, of: owner, revision: revision()) {
      return unsafe storage.assumingMemoryBound(to: Value.self).pointee
    }
    if isPlain || Value.self == String.self,
      let words = unsafe words.element(at: index)?.pointee.find(owner, revision: revision())
    {
      return words.value()
    }
    do throws(Missing) {
      return try rareValue(at: index, of: owner, revision: revision())
    } catch {}
    return try missing()
  }

  /// Stores the value that a flag has in a revision.
  ///
  /// The first value stored for a revision stays: if flags of two types share a slot, the second's is not stored. The
  /// value must share no storage with anything that another thread reads: see ``ownCopy(of:)``.
  func store<Value: Sendable>(_ value: Value, at index: Int, of owner: Any.Type, revision: UInt64) {
    if let words = Words(value) {
      unsafe self.words.element(at: index, orMake: CachedWords.init).pointee.store(words, of: owner, revision: revision)
      return
    }
    // A replaced value is released outside the tables, since its deinit may read flags.
    if !isObject(Value.self), let own = unsafe boxes.own {
      let replaced = unsafe own.pointee.store(CachedBox(value, of: owner, at: index, revision: revision))
      _ = consume replaced
    } else {
      let replaced = shared[index % shared.count].boxes.withLock {
        $0.store(CachedBox(value, of: owner, at: index, revision: revision))
      }
      _ = consume replaced
    }
  }

  /// Returns whether the calling thread shares values of a type with others.
  private func isShared(_ type: Any.Type) -> Bool { unsafe isObject(type) || boxes.own == nil }

  private func isObject(_ type: Any.Type) -> Bool { type is AnyObject.Type }

  /// Returns the value that a flag had in a revision, wherever it is stored.
  ///
  /// A separate function, since its stack usage would slow down all other reads, too.
  @inline(never)
  private func rareValue<Value: Sendable>(
    at index: Int, of owner: Any.Type, revision: UInt64
  ) throws(Missing) -> Value {
    if Words.canHold(Value.self) { throw Missing() }
    if let storage = unsafe boxes.own?.pointee.find(index, of: owner, revision: revision) {
      return unsafe storage.assumingMemoryBound(to: Value.self).pointee
    }
    guard isShared(Value.self) else { throw Missing() }
    return try shared[index % shared.count].boxes.withLock { boxes throws(Missing) in
      guard let storage = unsafe boxes.find(index, of: owner, revision: revision) else { throw Missing() }
      return unsafe storage.assumingMemoryBound(to: Value.self).pointee
    }
  }
}
