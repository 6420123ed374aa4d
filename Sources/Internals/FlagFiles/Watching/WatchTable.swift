/// A watch of a name in a directory, or of a file itself.
struct Watch: Hashable, Sendable {
  /// The system's number of the watched directory or file.
  let number: Int32
  /// The name in the directory; empty for a file itself.
  let name: String
}

struct WatchEvent: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case changed
    /// Some name in the directory was added, replaced or removed, and the system does not say which.
    case unnamed
    /// A file was written to, or may have been, by a writer that may not have closed it yet.
    case modified
    /// The directory or the file has been removed, and its number is invalid.
    case ended
  }

  let kind: Kind
  /// The number of the watch; nil if events were lost, and anything may have changed.
  let number: Int32?
  /// The name in the directory; empty if the event is about the directory or the file itself.
  let name: String
}

/// A table of listeners and their watches.
///
/// Many listeners share the system's watch of one directory; it ends when the last one no longer needs it.
struct WatchTable<Listener: Hashable & Sendable>: Sendable {
  private var listeners: [Int32: [String: Set<Listener>]] = [:]
  private var watches: [Listener: Set<Watch>] = [:]

  var isEmpty: Bool { listeners.isEmpty && watches.isEmpty }
}

extension WatchTable {
  mutating func add(_ watch: Watch, for listener: Listener) {
    listeners[watch.number, default: [:]][watch.name, default: []].insert(listener)
    watches[listener, default: []].insert(watch)
  }

  /// Ends the watches of a listener except some, and returns the numbers that no listener needs any more.
  mutating func keep(_ kept: Set<Watch>, for listener: Listener) -> [Int32] {
    let ended = watches[listener, default: []].subtracting(kept)
    watches[listener]?.formIntersection(kept)
    if watches[listener]?.isEmpty == true { watches[listener] = nil }
    return ended.compactMap { watch in
      guard var names = listeners[watch.number] else { return nil }
      names[watch.name]?.remove(listener)
      if names[watch.name]?.isEmpty == true { names[watch.name] = nil }
      listeners[watch.number] = names.isEmpty ? nil : names
      return names.isEmpty ? watch.number : nil
    }
  }

  /// Records that the system has ended a watch.
  mutating func end(_ number: Int32) {
    for (name, ended) in listeners.removeValue(forKey: number) ?? [:] {
      for listener in ended {
        watches[listener]?.remove(Watch(number: number, name: name))
        if watches[listener]?.isEmpty == true { watches[listener] = nil }
      }
    }
  }

  func listeners(for event: WatchEvent) -> Set<Listener> {
    guard let number = event.number else { return Set(watches.keys) }
    let names = listeners[number] ?? [:]
    return event.name.isEmpty ? names.values.reduce(into: []) { $0.formUnion($1) } : names[event.name] ?? []
  }
}
