import FlagDefinitions
import FlagDomain
import Foundation

/// The log of a server on standard error: lines with the time, as text or JSON.
struct ServerLog: Sendable {
  let terminal: Terminal
  let isJSON: Bool
}

extension ServerLog {
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
        let isFirst = state.withLock { state in
          defer { state = State(version: definitions.version) }
          return state.version == nil
        }
        write(served: definitions, of: store, isFirst: isFirst)
      case .failure(let error):
        let (isNew, version) = state.withLock { ($0.failures.insert(error).inserted, $0.version) }
        if isNew { write(error, of: store, whileServing: version) }
      }
    }
  }

  private struct State {
    var version: DefinitionVersion?
    /// The failures since then, each of which is logged once: each member of a cluster fails with its own.
    var failures: Set<DefinitionStoreError> = []
  }

  private func write(served definitions: StoredDefinitions, of store: String, isFirst: Bool) {
    let version = definitions.version
    for diagnostic in definitions.document.diagnostics { write("\(store):\(diagnostic)", revision: version.revision) }
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
