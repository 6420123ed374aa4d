import FlagDefinitions
import FlagDomain
import FlagSupport

/// The log of a server on standard error: lines with the time, as text or JSON.
struct ServerLog: Sendable {
  let terminal: Terminal
  let isJSON: Bool

  /// Writes a line.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - store: The name of the store that it is about; nil for the server.
  ///   - revision: The revision that is served; nil if there is none, or if the store does not number them.
  ///   - isError: Whether something is wrong.
  func write(_ message: String, store: String? = nil, revision: Int? = nil, isError: Bool = true) {
    let time = terminal.now().time
    guard isJSON else {
      return terminal.printError("\(time) flagctl: \(store.map { "\($0): " } ?? "")\(message)")
    }
    let fields = FlagValue([
      "time": time, "level": isError ? "error" : "info", "store": store, "revision": revision, "message": message,
    ])
    terminal.printError(fields.printed)
  }

  /// Returns a closure that logs the updates of a store.
  func updates(
    of store: String
  ) -> @Sendable (Result<StoredDefinitions, DefinitionStoreError>) -> Void {
    let state = Locked(State())
    return { [self] update in
      switch update {
      case .success(let definitions):
        let old = state.withLock { state in
          defer { state = State(definitions: definitions) }
          return state.definitions
        }
        write(served: definitions, of: store, isFirst: old == nil)
        if let old {
          let version = "of the version \(Fingerprint(of: definitions.text))"
          let words = definitions.document.differences(from: old.document, version)
          write(words, store: store, isError: false)
        }
      case .failure(let error):
        let (isNew, version) = state.withLock { ($0.failures.insert(error).inserted, $0.definitions?.version) }
        if isNew { write(error, of: store, whileServing: version) }
      }
    }
  }

  private struct State {
    var definitions: StoredDefinitions?
    /// The failures since then, each of which is logged once: each member of a cluster fails with its own.
    var failures: Set<DefinitionStoreError> = []
  }

  private func write(served definitions: StoredDefinitions, of store: String, isFirst: Bool) {
    let version = definitions.version
    for line in definitions.document.diagnostics.lines { write("\(store):\(line)", revision: version.revision) }
    guard let revision = version.revision else {
      if !isFirst { write("served as it is now", store: store, isError: false) }
      return
    }
    let words = version.isCached ? "revision \(revision) of the kept copy is served" : "revision \(revision) is served"
    write(words, store: store, revision: revision, isError: false)
  }

  private func write(_ error: DefinitionStoreError, of store: String, whileServing version: DefinitionVersion?) {
    let revision = version?.revision
    if error.diagnostics.isEmpty { write(error.message, store: store, revision: revision) }
    for diagnostic in error.diagnostics { write("\(store):\(diagnostic)", revision: revision) }
    let number = revision.map { "the last good revision \($0)" }
    let served = number ?? (version == nil ? "nothing" : "the last good document")
    write("\(served) is served", store: store, revision: revision)
  }
}

extension DefinitionDocument {
  /// Returns the number of flags, their version, and which are other than in an older document, in words.
  fileprivate func differences(from old: any DefinitionDocument, _ version: String) -> String {
    let changed = changedKeyList(from: old).sorted()
    let parts = [
      ("added", changed.filter { old.listing(of: $0) == nil }),
      ("changed", changed.filter { old.listing(of: $0) != nil && listing(of: $0) != nil }),
      ("removed", changed.filter { listing(of: $0) == nil }),
    ]
    let words = parts.compactMap { word, keys in keys.isEmpty ? nil : "\(word) \(Self.list(keys))" }
    return "flags: \(keys.count), \(version); \(words.isEmpty ? "none changed" : words.joined(separator: "; "))"
  }

  private static func list(_ keys: [String]) -> String {
    let more = keys.count > 10 ? " and \(keys.count - 10) more" : ""
    return keys.prefix(10).map(\.excerpt).joined(separator: ", ") + more
  }
}
