import FlagComposition
import FlagDomain
import FlagProviders
import Testing

@Suite("Flags of one key")
struct DeclarationTests {
  private let listed = Flag("misc.plain", default: 0, "")
  private let other = Flag("misc.plain", default: 99, "")

  @Test("Two flags of one key each read their own default, wherever they are read")
  func separatesDefaults() throws {
    let flags = try FeatureFlagClient(catalogs: [FlagCatalog("misc") { listed }]) {}
    for _ in 0..<2 {
      #expect(readings(of: listed, in: flags) == Set([0]))
      #expect(readings(of: other, in: flags) == Set([99]))
    }
  }

  @Test("Two flags of one key each leave out the providers that they exclude")
  func separatesExclusions() throws {
    let excluding = Flag("misc.plain", default: 0, FlagMetadata(excludedProviders: ["first"]))
    let flags = try compose {
      InMemoryProvider(name: "first", ["misc.plain": 1]); InMemoryProvider(name: "second", ["misc.plain": 2])
    }
    for _ in 0..<2 {
      #expect(readings(of: listed, in: flags) == [1])
      #expect(readings(of: excluding, in: flags) == [2])
    }
  }

  @Test("A computed flag is never given the kept value of a plain one of its key")
  func separatesComputed() throws {
    let computed = Flag("misc.plain", default: 0, "") { _ in 7 }
    let flags = try compose {}
    #expect(flags.manager.variation(for: listed) == 0)
    #expect(readings(of: computed, in: flags) == [7])
    let snapshot = flags.snapshots.snapshot()
    #expect(snapshot.variation(for: computed) == 7)
    #expect(snapshot.variation(for: Flag("misc.plain", default: 1, "") { _ in 8 }) == 8)
    #expect(snapshot.variation(for: listed) == 0)
  }

  @Test("A flag of a type of its own is another than one of the usual type")
  func separatesTypes() throws {
    struct Own: FeatureFlag {
      let key: FlagKey = "misc.plain"
      let defaultValue = 5
    }
    let flags = try compose {}
    #expect(flags.manager.variation(for: listed) == 0)
    #expect(readings(of: Own(), in: flags) == [5])
    #expect(readings(of: listed, in: flags) == [0])
  }

  @Test("Two types of flags with one key and one type of values each read their own default")
  func separatesOwnTypes() throws {
    struct One<Value: Decodable & Sendable>: FeatureFlag {
      let key: FlagKey = "own.types"
      let defaultValue: Value
    }
    struct Other<Value: Decodable & Sendable>: FeatureFlag {
      let key: FlagKey = "own.types"
      let defaultValue: Value
    }
    let flags = try compose {}
    for _ in 0..<3 {
      #expect(readings(of: One(defaultValue: 1), in: flags) == [1])
      #expect(readings(of: Other(defaultValue: 2), in: flags) == [2])
      #expect(readings(of: One(defaultValue: "one"), in: flags) == ["one"])
      #expect(readings(of: Other(defaultValue: "other"), in: flags) == ["other"])
      #expect(readings(of: One(defaultValue: ["one"]), in: flags) == [["one"]])
      #expect(readings(of: Other(defaultValue: ["other"]), in: flags) == [["other"]])
    }
    let cut = flags.snapshots.snapshot()
    #expect(cut.variation(for: One(defaultValue: 1)) == 1)
    #expect(cut.variation(for: Other(defaultValue: 2)) == 2)
  }

  @Test("A flag that takes over another one's key keeps its own default")
  func separatesBorrowedKeys() throws {
    struct Borrowing: FeatureFlag {
      let key: FlagKey
      let defaultValue = 5
    }
    let flags = try compose {}
    for _ in 0..<3 {
      #expect(readings(of: listed, in: flags) == [0])
      #expect(readings(of: Borrowing(key: listed.key), in: flags) == [5])
    }
  }

  @Test("A flag that is made anew at each use is the same flag")
  func sharesSlots() {
    func make<Value: Decodable & Sendable>(_ value: Value) -> Int { Flag("made-anew", default: value, "").key.slot }
    func expectSame<Value: Decodable & Sendable>(_ value: Value) { #expect(make(value) == make(value)) }
    expectSame(1)
    expectSame("text")
    expectSame(["a", "b"])
    expectSame(Int?.none)
    expectSame(Int?.some(1))
    expectSame(Double.nan)
    #expect(make("caf\u{e9}") != make("cafe\u{301}"))
  }

  @Test("A default that is never the same twice takes few slots, and is read as it is")
  func boundsSlots() throws {
    let flags = try compose {}
    let slots = (0..<100).map { number in
      let flag = Flag("never-the-same", default: number, "")
      #expect(flags.manager.variation(for: flag) == number)
      return flag.key.slot
    }
    #expect(Set(slots).count == FlagKey.maximumDeclarations + 1)
    #expect(slots.last == Int(FlagKey.noSlot))
  }

  @Test("A default that cannot be encoded is compared by its parts; one that is an object is like no other")
  func comparesParts() {
    struct Layout: Decodable, Sendable {
      enum Side: Decodable { case left, right }
      var columns = 1
      var side: Side? = .left
    }
    final class Model: Decodable, Sendable {}
    func slot(_ layout: Layout) -> Int { Flag("parts", default: layout, "").key.slot }
    #expect(Set((0..<100).map { _ in slot(Layout()) }).count == 1)
    #expect(
      Set([slot(Layout()), slot(Layout(columns: 2)), slot(Layout(side: .right)), slot(Layout(side: nil))]).count == 4)
    #expect(Flag("model", default: Model(), "").key.slot != Flag("model", default: Model(), "").key.slot)
  }
}
