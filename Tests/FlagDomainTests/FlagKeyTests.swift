import FlagDomain
import Testing

@Suite("Flag key")
struct FlagKeyTests {
  @Test(
    "A name is valid with 1 to 1,024 bytes and neither white space nor control characters",
    arguments: [
      ("new-user-profile", true), ("myapp/flat_boolean", true), ("größe", true), ("🙂", true), ("", false),
      ("two words", false), ("tab\there", false), ("nul\u{0}", false), ("no\u{a0}break", false),
      (String(repeating: "k", count: 1024), true), (String(repeating: "k", count: 1025), false),
    ])
  func validates(name: String, isValid: Bool) {
    #expect((FlagKey(name) != nil) == isValid)
  }

  @Test("Equal names make equal keys, and others do not")
  func interns() throws {
    let key = try #require(FlagKey("feed." + "page-size"))
    #expect(key == "feed.page-size")
    #expect(key.hashValue == FlagKey(stringLiteral: "feed.page-size").hashValue)
    #expect(key != "feed.page-sizes")
    #expect(key.name == "feed.page-size")
  }

  @Test("Keys are in the order of their names")
  func orders() {
    #expect((["b", "a", "c"] as [FlagKey]).sorted() == ["a", "b", "c"])
  }

  @Test("Keys made on many threads at once are one key")
  func internsConcurrently() async {
    let keys = await withTaskGroup(of: [FlagKey?].self) { group in
      for _ in 0..<8 { group.addTask { (0..<500).map { FlagKey("concurrent-\($0)") } } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(keys.count == 8)
    #expect(keys.allSatisfy { $0 == keys[0] })
    #expect(keys[0].enumerated().allSatisfy { $0.element?.name == "concurrent-\($0.offset)" })
  }
}
