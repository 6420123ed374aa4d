import FlagDefinitions
import FlagPublishing

/// The state of a set that a publication replaces, as far as it can be read.
struct PublicationBase {
  /// The head; nil if nothing has been published, or if the head is broken.
  var head: PublishedHead?
  /// The number of the revision that `--expect` names; nil if there is none.
  var number: Int?
  /// The definitions to compare with, and their name.
  var definitions: StoredDefinitions
  var name: String
  /// The broken part that is published over; nil if the current revision can be read.
  var broken: DefinitionStoreError?
}

extension FleetSet {
  /// Returns what a publication replaces.
  ///
  /// - Parameters:
  ///   - seen: The head that the publication is based on; nil for the current one.
  ///   - isOverBroken: Whether a head or a document that cannot be read is replaced, too. Then the newest revision that
  ///     can be read is the one to compare with.
  /// - Returns: The head, and the definitions to compare with.
  /// - Throws: An error that names the broken part.
  func base(_ seen: PublishedHead?, overBroken isOverBroken: Bool) throws(ToolError) -> PublicationBase {
    var head = seen
    while true {
      do throws(DefinitionStoreError) {
        var newest = seen
        if newest == nil { newest = try ask { (store) async throws(DefinitionStoreError) in try await store.head() } }
        guard let newest else { return PublicationBase(definitions: try empty(), name: "nothing") }
        if let base = try base(newest) { return base }
        // Its revision is gone: someone has published meanwhile, and removed the earlier revisions.
        guard newest != head else { throw DefinitionStoreError(.unreadable, store: name, "\(newest) has no document") }
        head = newest
      } catch {
        guard [.broken, .invalid].contains(error.code) else { throw .published(error) }
        guard isOverBroken else { throw .broken(error, in: name) }
        return try readableBase(instead: error)
      }
    }
  }

  private func base(_ head: PublishedHead) throws(DefinitionStoreError) -> PublicationBase? {
    try documentIfAny(of: head.revision).map {
      PublicationBase(head: head, number: head.revision.number, definitions: $0, name: "\(head)")
    }
  }

  private func empty() throws(DefinitionStoreError) -> StoredDefinitions {
    try StoredDefinitions(parsing: Array(#"{"flags": {}}"#.utf8), format: store.format, of: name)
  }

  private func documentIfAny(of revision: PublishedRevision) throws(DefinitionStoreError) -> StoredDefinitions? {
    let text = try ask { (store) async throws(DefinitionStoreError) in try await store.text(of: revision.number) }
    return try text.map { text throws(DefinitionStoreError) in
      try StoredDefinitions(
        parsing: text, version: revision.version, format: store.format, of: "\(name) at revision \(revision.number)")
    }
  }

  /// Returns the newest revision that can be read, in place of the current one.
  private func readableBase(instead error: DefinitionStoreError) throws(ToolError) -> PublicationBase {
    do throws(DefinitionStoreError) {
      var base = PublicationBase(definitions: try empty(), name: "nothing", broken: error)
      do throws(DefinitionStoreError) {
        base.head = try ask { (store) async throws(DefinitionStoreError) in try await store.head() }
      } catch {
        guard error.code == .broken else { throw error }
      }
      for revision in try ask({ (store) async throws(DefinitionStoreError) in try await store.history(limit: 100) }) {
        do throws(DefinitionStoreError) {
          guard let definitions = try documentIfAny(of: revision) else { continue }
          base.number = base.head?.revision.number ?? revision.number
          (base.definitions, base.name) = (definitions, "revision \(revision.number), the newest that can be read")
          return base
        } catch {
          guard [.broken, .invalid].contains(error.code) else { throw error }
        }
      }
      return base
    } catch {
      throw .published(error)
    }
  }

  private func ask<Answer: Sendable>(
    _ ask: @escaping @Sendable (any MaintainedDefinitionStore) async throws(DefinitionStoreError) -> Answer
  ) throws(DefinitionStoreError) -> Answer {
    try terminal.wait { [store] () async throws(DefinitionStoreError) in try await ask(store) }
  }
}
