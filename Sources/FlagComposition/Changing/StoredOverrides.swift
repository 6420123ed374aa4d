import FlagDomain
import Synchronization

/// A synchronization of in-memory overrides with the store, both ways.
final class StoredOverrides: Sendable {
  private let store: any FlagOverrideStore
  /// A lock that serializes the store's work, with the error of the last failed load; taken before every lock of the
  /// flags.
  private let storing: Locked<FlagError?>
  /// The store's operation that the current code runs in, if any; tasks that it starts inherit it.
  @TaskLocal private static var work: Work?

  private final class Work: Sendable {
    let overrides: ObjectIdentifier
    let isOver = Atomic(false)
    /// Whether the store reported changes meanwhile.
    let isOutdated = Atomic(false)

    init(of overrides: StoredOverrides) { self.overrides = ObjectIdentifier(overrides) }
  }

  /// Creates the synchronization with a store, and the error if it could not be loaded at the start.
  init(_ store: any FlagOverrideStore, failure: FlagError?) {
    self.store = store
    storing = Locked(failure)
  }
}

extension StoredOverrides {
  /// Stores changes that depend on the current overrides, then publishes them.
  ///
  /// - Throws: The store's error, and an error if it is called within an operation of the store; then nothing is
  ///   changed.
  func write(
    _ flags: LiveManager, cause: FlagChange.Cause, _ values: ([FlagKey: FlagValue]) -> [FlagKey: FlagValue?]
  ) throws(FlagError) {
    if currentWork != nil {
      throw FlagError(.general, "expected no override during a write of the store that would keep it")
    }
    let events = try storing.withLock { failure throws(FlagError) in
      let values = values(flags.state.content.overrides.stored)
      guard !values.isEmpty else { return [Event]() }
      let isOutdated = try work { store throws(FlagError) in try store.write(values) }
      let change = flags.publish { content in
        content.overrides.store(values)
        return FlagChange(keys: ChangedKeys(values.keys), causes: [cause])
      }
      let own = [change.map(Event.changed)].compactMap { $0 }
      return isOutdated ? own + load(into: flags, &failure) : own
    }
    for event in events { notify(flags, of: event) }
  }

  /// Clears the overrides, in memory and in the store.
  ///
  /// - Throws: As a write does.
  func clear(_ flags: LiveManager) throws(FlagError) {
    try write(flags, cause: .reset) { known in
      var keys = Set(known.keys)
      do throws(FlagError) {
        _ = try work { store throws(FlagError) in keys.formUnion(try store.load().keys) }
      } catch {}  // The store may still be writable, and following it reported this error.
      return Dictionary(uniqueKeysWithValues: keys.map { ($0, nil) })
    }
  }

  /// Follows changes of the store by others until the flags are released.
  func follow(_ flags: LiveManager) {
    do throws(FlagError) {
      flags.hold(
        try store.subscribe { [self, weak flags] error in
          guard let flags else { return }
          if let error { flags.report([error]) }
          reload(flags)
        })
    } catch {
      flags.report([error])
    }
  }
}

extension StoredOverrides {
  private func reload(_ flags: LiveManager) {
    if let work = currentWork { return work.isOutdated.store(true, ordering: .releasing) }
    for event in storing.withLock({ load(into: flags, &$0) }) { notify(flags, of: event) }
  }

  /// Applies the differences in the store, and returns events to report, each error once; the lock is held.
  private func load(into flags: LiveManager, _ failure: inout FlagError?) -> [Event] {
    var stored: [FlagKey: FlagValue] = [:]
    do throws(FlagError) {
      _ = try work { store throws(FlagError) in stored = try store.load() }
      failure = nil
    } catch {
      defer { failure = error }
      return error == failure ? [] : [.failed(error)]
    }
    let change = flags.publish { content in
      let changes = content.overrides.changes(to: stored)
      guard !changes.isEmpty else { return nil }
      content.overrides.store(changes)
      return FlagChange(keys: ChangedKeys(changes.keys), causes: [.override])
    }
    return [change.map(Event.changed)].compactMap { $0 }
  }

  /// An event that is delivered with no lock held, since its receivers may set overrides, too.
  private enum Event {
    case changed(FlagChange)
    case failed(FlagError)
  }

  private func notify(_ flags: LiveManager, of event: Event) {
    switch event {
    case .changed(let change): flags.observed.notify(change.keys)
    case .failed(let error): flags.report([error])
    }
  }

  /// The store's operation that the calling code is part of.
  private var currentWork: Work? {
    guard let work = Self.work, work.overrides == ObjectIdentifier(self) else { return nil }
    return work.isOver.load(ordering: .acquiring) ? nil : work
  }

  /// Runs an operation of the store, and returns whether the store reported changes meanwhile; the lock is held.
  private func work(_ body: (any FlagOverrideStore) throws(FlagError) -> Void) throws(FlagError) -> Bool {
    let work = Work(of: self)
    defer { work.isOver.store(true, ordering: .releasing) }
    let outcome = Self.$work.withValue(work) {
      Result { () throws(FlagError) in try body(store) }
    }
    try outcome.get()
    return work.isOutdated.load(ordering: .acquiring)
  }
}

extension Overrides {
  /// Returns the changes from the stored overrides to new ones: others' values, and nil for removed keys.
  fileprivate func changes(to new: [FlagKey: FlagValue]) -> [FlagKey: FlagValue?] {
    var changes: [FlagKey: FlagValue?] = [:]
    for key in Set(stored.keys).union(new.keys) where stored[key] != new[key] { changes[key] = .some(new[key]) }
    return changes
  }
}
