import FlagDomain
import FlagProviders
import Foundation
import Testing

@Suite("Renamed override store")
struct RenamedOverrideStoreTests {
  private let file = FileManager.default.temporaryDirectory.appending(path: "renamed-\(UUID().uuidString).json")

  @Test("Overrides are stored under the store's names, others under their keys, and read back by key")
  func renames() throws {
    let upstream = FileOverrideStore(file)
    let store = upstream.renamed(["new-search": "ff-NewSearch"])
    try store.write(["new-search": true, "other": 2])
    #expect(try Set(upstream.load().keys.map(\.name)) == ["ff-NewSearch", "other"])
    #expect(try store.load() == ["new-search": true, "other": 2])
    try store.write(["new-search": nil] as [FlagKey: FlagValue?])
    #expect(try store.load() == ["other": 2])
  }

  @Test("An entry under the key of a renamed flag is not its override")
  func ignoresOwnKey() throws {
    let upstream = FileOverrideStore(file)
    try upstream.write(["new-search": true])
    #expect(try upstream.renamed(["new-search": "search"]).load() == [:])
    #expect(try upstream.renamed(["b": "new-search"]).load() == ["b": true])
  }
}
