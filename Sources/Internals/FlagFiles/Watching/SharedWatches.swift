import FlagDomain

protocol WatchSystem: Sendable {
  /// Watches the names in a directory, and returns the number that its events carry.
  ///
  /// A directory that is watched already keeps its number.
  func add(directory: String) throws(FileError.Reason) -> Int32
  func add(file: String) throws(FileError.Reason) -> Int32
  func remove(_ number: Int32)
}

/// All watches of this process, through one instance of the system's API.
///
/// It is the package's one exception to "no singleton": Linux grants a user 128 inotify instances for all processes
/// together, so that an instance for each file would be refused to the 129th. It holds no settings and no state that
/// a caller could see.
final class SharedWatches: Sendable {
  static let instance = SharedWatches { onEvents throws(FileError.Reason) in try SystemWatches(onEvents) }

  /// A function that creates the system's instance, which calls a closure with all events, on any thread.
  typealias Making =
    @Sendable (_ onEvents: @escaping @Sendable ([WatchEvent]) -> Void) throws(FileError.Reason) -> any WatchSystem

  fileprivate struct State {
    var table = WatchTable<ObjectIdentifier>()
    var listeners: [ObjectIdentifier: @Sendable (WatchEvent.Kind) -> Void] = [:]
    /// The instance, created at the first use, and again after a failure.
    var system: (any WatchSystem)?
  }

  private let state = Locked(State())
  private let make: Making

  init(_ make: @escaping Making) { self.make = make }
}

extension SharedWatches {
  /// Adds a listener, which receives the events of its watches, on any thread.
  ///
  /// The closure must return soon: all other listeners wait for it.
  func addListener(_ listener: ObjectIdentifier, _ onEvent: @escaping @Sendable (WatchEvent.Kind) -> Void) {
    state.withLock { $0.listeners[listener] = onEvent }
  }

  /// Removes a listener, and the watches that only it has.
  func removeListener(_ listener: ObjectIdentifier) {
    // The closure's captures are released outside the lock: their deinitializers may run other code.
    _ = state.withLock { state in
      state.keep([], for: listener)
      return state.listeners.removeValue(forKey: listener)
    }
  }

  /// Starts to watch a name in a directory, and returns the watch, or nil if the listener is removed.
  func watch(_ name: String, in directory: String, for listener: ObjectIdentifier) throws(FileError.Reason) -> Watch? {
    try add(for: listener) { system throws(FileError.Reason) in
      Watch(number: try system.add(directory: directory), name: name)
    }
  }

  /// Starts to watch a file itself, and returns the watch, or nil if the listener is removed.
  func watch(file: String, for listener: ObjectIdentifier) throws(FileError.Reason) -> Watch? {
    try add(for: listener) { system throws(FileError.Reason) in Watch(number: try system.add(file: file), name: "") }
  }

  /// Ends all watches of a listener except some.
  func keep(_ watches: Set<Watch>, for listener: ObjectIdentifier) {
    state.withLock { $0.keep(watches, for: listener) }
  }

  /// Creates a watch and records it under one lock, so that no event is missed in between.
  private func add(
    for listener: ObjectIdentifier, _ watch: (any WatchSystem) throws(FileError.Reason) -> Watch
  ) throws(FileError.Reason) -> Watch? {
    try state.withLock { state throws(FileError.Reason) in
      guard state.listeners[listener] != nil else { return nil }
      let system = if let system = state.system { system } else { try make { self.announce($0) } }
      state.system = system
      let watch = try watch(system)
      state.table.add(watch, for: listener)
      return watch
    }
  }

  /// Notifies the listeners of events, once for each kind.
  private func announce(_ events: [WatchEvent]) {
    struct Call: Hashable {
      let listener: ObjectIdentifier
      let kind: WatchEvent.Kind
    }
    let calls = state.withLock { state in
      var calls: Set<Call> = []
      for event in events {
        for listener in state.table.listeners(for: event) { calls.insert(Call(listener: listener, kind: event.kind)) }
        if event.kind == .ended, let number = event.number { state.table.end(number) }
      }
      return calls.compactMap { call in state.listeners[call.listener].map { (call.kind, $0) } }
    }
    for (kind, onEvent) in calls { onEvent(kind) }
  }
}

extension SharedWatches.State {
  fileprivate mutating func keep(_ watches: Set<Watch>, for listener: ObjectIdentifier) {
    for number in table.keep(watches, for: listener) { system?.remove(number) }
  }
}
