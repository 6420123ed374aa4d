import FlagDefinitions
import FlagPublishing
import Testing

extension PublishedDefinitionStoreContract {
  /// Checks that a store that nobody has damaged has no broken part, and keeps its head and its servers.
  func checkMaintaining(_ store: any MaintainedDefinitionStore, _ location: SourceLocation) async throws {
    let before = try await head(location)
    #expect(try await store.brokenParts() == [], sourceLocation: location)
    let definitions = try StoredDefinitions(parsing: text("lost"), format: store.format)
    await expect(.conflict, "the head can be read", location) {
      try await store.replaceBrokenHead(with: definitions, note: note)
    }
    #expect(try await head(location) == before, sourceLocation: location)
    let present = try await server("present")
    func report() async throws -> ServerReport? { try await store.servers().first { $0.name == "present" } }
    while try await report() == nil { try Task.checkCancellation() }
    #expect(try await store.forget(server: "present") == false, "it reports", sourceLocation: location)
    #expect(try await store.forget(server: "nobody") == false, sourceLocation: location)
    #expect(try await report()?.isAbsent == false, sourceLocation: location)
    await present.close()
    #expect(try await report() == nil, "it has signed off", sourceLocation: location)
  }
}
