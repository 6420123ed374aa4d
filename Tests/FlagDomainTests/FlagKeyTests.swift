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
    #expect((FlagKey(validating: name) != nil) == isValid)
  }

  @Test("A provider's own name for a flag makes a key for it, but not for code or data")
  func tellsProvidersNames() {
    let key = FlagKey(providerName: "a provider's name")
    #expect(key.name == "a provider's name")
    #expect(FlagKey(validating: "a provider's name") == nil)
  }

  @Test("Equal names make equal keys, and others do not")
  func interns() throws {
    let key = try #require(FlagKey(validating: "feed.page-size"))
    #expect(key == "feed.page-size")
    #expect(key.hashValue == FlagKey(stringLiteral: "feed.page-size").hashValue)
    #expect(key != "feed.page-sizes")
    #expect(key.name == "feed.page-size")
  }

  @Test("Text that is no name makes no key, and a literal is not taken for text")
  func tellsTextFromLiterals() {
    let found = "has space"
    #expect(FlagKey(validating: found) == nil)
    #expect(FlagKey(validating: "has space") == nil)
    #expect(CalendarDay(validating: "2027-02-30") == nil)
    #expect(FlagKey("no-space").name == "no-space")
  }

  @Test("An app's own enum of names makes keys, and nil for an invalid name")
  func takesRawValues() {
    #expect(FlagKey(AppKey.newSearch) == "new-search")
    #expect(FlagKey(validating: AppKey.newSearch) == "new-search")
    #expect(FlagKey(validating: AppKey.hasSpace) == nil)
    #expect(Flag(FlagKey(AppKey.newSearch), default: false, "The new search.").key.name == "new-search")
  }

  private enum AppKey: String {
    case newSearch = "new-search"
    case hasSpace = "has space"
  }

  @Test("Names in two normal forms of Unicode are two names")
  func comparesCodePoints() {
    let (composed, decomposed) = (FlagKey("caf\u{e9}"), FlagKey("cafe\u{301}"))
    #expect(composed != decomposed)
    #expect(composed.name.unicodeScalars.count == 4)
    #expect(decomposed.name.unicodeScalars.count == 5)
    #expect((composed < decomposed) != (decomposed < composed))
  }

  @Test("Keys are in the order of their names")
  func orders() {
    #expect((["b", "a", "c"] as [FlagKey]).sorted() == ["a", "b", "c"])
  }

  @Test("Keys that are made of others are found again, on many threads, too")
  func derives() async {
    let derived = GrowingMap<FlagKey, FlagKey>(listCount: 256)
    let areFound = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          (0..<300).allSatisfy { number in
            let key = FlagKey(providerName: "derive \(number)")
            let other = FlagKey(providerName: "derived \(number)")
            let known = derived.value(of: key, hash: key.index)
            _ = derived.add(other, for: key, hash: key.index)
            return (known == nil || known == other) && derived.value(of: key, hash: key.index) == other
          }
        }
      }
      return await group.reduce(true) { $0 && $1 }
    }
    #expect(areFound)
    #expect(derived.value(of: FlagKey(providerName: "never derived"), hash: 0) == nil)
    #expect(derived.elements.count == 300)
  }

  @Test("Keys made on many threads at once are one key")
  func internsConcurrently() async {
    let keys = await withTaskGroup(of: [FlagKey?].self) { group in
      for _ in 0..<8 { group.addTask { (0..<500).map { FlagKey(validating: "concurrent-\($0)") } } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(keys.count == 8)
    #expect(keys.allSatisfy { $0 == keys[0] })
    #expect(keys[0].enumerated().allSatisfy { $0.element?.name == "concurrent-\($0.offset)" })
    #expect(keys.joined().allSatisfy { $0.map { $0.utf8.text(in: 0..<$0.utf8.count) == $0.name } ?? false })
  }
}
