import FlagDomain
import Synchronization

/// A synchronization of in-memory overrides with the store, both ways.
///
/// No lock is held while the store or an observer runs, so writes and loads may overlap and cause each other. Memory
/// ends as the store does: a load that others have overtaken is not used, and after two writes of one key at once the
/// last of them to end loads what the store has.
final class StoredOverrides: Sendable {
  /// The store; nil if overrides last until the program ends.
  private let store: (any FlagOverrideStore)?
  /// The store's operations; locked within the lock of the flags, never around it.
  private let state: Locked<State>
  /// The innermost write of a store that the current code runs in; tasks that it starts inherit it.
  @TaskLocal private static var write: Write?

  fileprivate struct State {
    /// The writes that have begun and not ended, by their numbers.
    var running: [Int: [FlagKey: FlagValue?]] = [:]
    /// The number of the last event: a write that began or ended, or a load that began.
    var lastNumber = 0
    /// The number at which a write began or ended last.
    var lastWrite = 0
    /// The number of the newest load that was used.
    var lastLoad = 0
    /// Whether the store may differ from memory when the running writes have ended.
    var isOutdated = false
    /// The error of the last load, if it failed.
    var failure: FlagError?
  }

  /// A write of a store, which knows how many others it is within.
  private final class Write: Sendable {
    static let maximumDepth = 8
    let depth: Int
    let isOver = Atomic(false)

    init(in outer: Write?) { depth = outer.map { $0.isOver.load(ordering: .acquiring) ? 1 : $0.depth + 1 } ?? 1 }
  }

  /// Creates the synchronization with a store, and the error if it could not be loaded at the start.
  init(_ store: (any FlagOverrideStore)?, failure: FlagError?) {
    self.store = store
    state = Locked(State(failure: failure))
  }

  /// Stores changes, then publishes them.
  ///
  /// - Throws: The store's error, and an error if writes of stores have caused each other too often; then nothing is
  ///   changed.
  func write(
    _ flags: LiveManager, cause: FlagChange.Cause, _ values: [FlagKey: FlagValue?]
  ) throws(FlagError) {
    guard !values.isEmpty else { return }
    guard let store else { return flags.change { $0.store(values, cause) } }
    let write = Write(in: Self.write)
    guard write.depth <= Write.maximumDepth else {
      throw FlagError(
        .general,
        "an override was set from inside the override store's own write, which was one of \(Write.maximumDepth) in turn"
      )
    }
    let number = state.withLock { $0.begin(values) }
    let outcome = Self.$write.withValue(write) { Result { () throws(FlagError) in try store.write(values) } }
    write.isOver.store(true, ordering: .releasing)
    let isStored = if case .success = outcome { true } else { false }
    var isOutdated = false
    let change = flags.publish { content in
      isOutdated = state.withLock { $0.end(number) }
      return isOutdated || !isStored ? nil : content.store(values, cause)
    }
    if let change { flags.observed.notify(change.keys) }
    if isOutdated { load(store, into: flags, cause, unlessLoaded: isStored ? values : [:]) }
    try outcome.get()
  }

  /// Clears the overrides, in memory and in the store.
  ///
  /// - Throws: As a write does.
  func clear(_ flags: LiveManager) throws(FlagError) {
    var keys = Set(flags.sharedState.content.overrides.stored.keys)
    do throws(FlagError) {
      if let stored = try store?.load() { keys.formUnion(stored.keys) }
    } catch {}  // The store may still be writable, and following it reported this error.
    try write(flags, cause: .reset, Dictionary(uniqueKeysWithValues: keys.map { ($0, nil) }))
  }

  /// Follows changes of the store by others until the flags are released.
  func follow(_ flags: LiveManager) {
    guard let store else { return }
    do throws(FlagError) {
      flags.hold(
        try store.subscribe { [self, weak flags] error in
          guard let flags else { return }
          if let error { flags.report([error]) }
          let isLater = state.withLock { state in
            state.isOutdated = !state.running.isEmpty
            return state.isOutdated
          }
          if !isLater { load(store, into: flags, .override) }
        })
    } catch {
      flags.report([error])
    }
  }

  /// Applies the differences in the store, and reports each error once.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - flags: The flags.
  ///   - cause: The cause of changes.
  ///   - values: The changes to apply instead if the store cannot be loaded, or not now.
  private func load(
    _ store: any FlagOverrideStore, into flags: LiveManager, _ cause: FlagChange.Cause,
    unlessLoaded values: [FlagKey: FlagValue?] = [:]
  ) {
    var use: State.Use
    repeat {
      let number = state.withLock { $0.beginLoad() }
      let loaded = Result { () throws(FlagError) in try store.load() }
      use = .again
      let change = flags.publish { content in
        use = state.withLock { $0.use(of: loaded, number: number) }
        switch (use, loaded) {
        case (.now, .success(let stored)): return content.store(content.overrides.changes(to: stored), cause)
        case (.now, .failure), (.never, _): return content.store(values, cause)
        case (.again, _), (.past, _): return nil
        }
      }
      if let change { flags.observed.notify(change.keys) }
      if use == .now, case .failure(let error) = loaded { flags.report([error]) }
    } while use == .again
  }
}

extension StoredOverrides.State {
  /// The outcome of a load; a newer one makes it past.
  fileprivate enum Use { case now, again, never, past }

  fileprivate mutating func begin(_ values: [FlagKey: FlagValue?]) -> Int {
    if running.values.contains(where: { $0.contains { key, value in values[key].map { $0 != value } ?? false } }) {
      // Nobody but the store knows which of the two came last.
      isOutdated = true
    }
    lastNumber += 1
    lastWrite = lastNumber
    running[lastNumber] = values
    return lastNumber
  }

  /// Ends a write, and returns whether it was the last to end, and the store must be loaded.
  fileprivate mutating func end(_ number: Int) -> Bool {
    running[number] = nil
    lastNumber += 1
    lastWrite = lastNumber
    return isOutdated && running.isEmpty
  }

  fileprivate mutating func beginLoad() -> Int {
    isOutdated = false
    lastNumber += 1
    return lastNumber
  }

  fileprivate mutating func use(of loaded: Result<[FlagKey: FlagValue], FlagError>, number: Int) -> Use {
    guard running.isEmpty else {
      isOutdated = true  // The last write to end loads.
      return .never
    }
    if lastWrite > number { return .again }
    guard lastLoad < number else { return .past }
    lastLoad = number
    guard case .failure(let error) = loaded else {
      failure = nil
      return .now
    }
    defer { failure = error }
    return error == failure ? .never : .now
  }
}

extension FlagState.Content {
  /// Stores overrides, and returns the change; nil if there are none.
  fileprivate mutating func store(_ values: [FlagKey: FlagValue?], _ cause: FlagChange.Cause) -> FlagChange? {
    guard !values.isEmpty else { return nil }
    overrides.store(values)
    return FlagChange(keys: ChangedKeys(values.keys), causes: [cause])
  }
}

extension Overrides {
  /// Returns the changes from the stored overrides to new ones: others' values, and nil for removed keys.
  fileprivate func changes(to new: [FlagKey: FlagValue]) -> [FlagKey: FlagValue?] {
    var changes: [FlagKey: FlagValue?] = [:]
    for key in Set(stored.keys).union(new.keys) where !stored[key].readsAs(new[key]) { changes[key] = .some(new[key]) }
    return changes
  }
}
