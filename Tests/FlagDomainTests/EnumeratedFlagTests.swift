import FlagDomain
import Testing

@Suite("Enumerated flag")
struct EnumeratedFlagTests {
  @Test(
    "A case's key is its raw value in the enum's style, or its own",
    arguments: [
      (RemoteFeature.blaze.key, "blaze"), (RemoteFeature.jetpackSocial.key, "jetpack-social"),
      (RemoteFeature.siteEditor.key, "site_editor_mvp"), (RemoteFeature.retired.key, "Old/Key"),
      (Limit.pageSize.key, "app/Page_Size"), (Limit.maximum.key, "app/maximum"), (Single.onlyOne.key, "only-one"),
    ] as [(FlagKey, FlagKey)])
  func makesKeys(key: FlagKey, expected: FlagKey) { #expect(key == expected) }

  @Test("Every case has a key of its own and the slot of its declaration, the same at each read")
  func keepsSlots() {
    let slots = RemoteFeature.allCases.map(\.key.slot)
    #expect(Set(slots).count == RemoteFeature.allCases.count)
    #expect(!slots.contains(Int(FlagKey.noSlot)))
    #expect(RemoteFeature.allCases.map(\.key.slot) == slots)
    #expect(RemoteFeature.blaze.key.slot == Flag("blaze", default: true, RemoteFeature.blaze.metadata).key.slot)
  }

  @Test("The keys are made once")
  func makesKeysOnce() {
    let keys = (0..<100).map { _ in Counted.only.key }
    #expect(Set(keys) == ["only"])
    #expect(Counted.reads.withLock { $0 } == 1)
  }

  @Test("Threads that read first at the same time see the same keys")
  func agreesAcrossThreads() async {
    let slots = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<64 { group.addTask { Shared.second.key.slot } }
      return await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(slots.count == 1)
  }

  @Test("An enum whose values are larger than a byte, or that lists only some of its cases, has keys, too")
  func hasKeysWithoutTable() {
    #expect(Tagged.allCases.map(\.key) == ["first", "second"])
    #expect(Partly.unlisted.key == "unlisted")
    #expect(Partly.listed.key == "listed")
  }

  @Test("The catalog has every case in order, and the name of the type")
  func listsCases() {
    #expect(RemoteFeature.catalog.name == "remote-feature")
    #expect(RemoteFeature.catalog.flags.map(\.key) == RemoteFeature.allCases.map(\.key))
    #expect(RemoteFeature.catalog.flags.map(\.metadata.displayName) == RemoteFeature.allCases.map(\.title))
    #expect(RemoteFeature.jetpackSocial.title == "Jetpack Social")
  }

  @Test("Declarations of cases may use the keys of others, and their own")
  func usesKeys() {
    #expect(Linked.second.metadata.requires == "first")
    #expect(Linked.second.key == "second" && Linked.first.key == "first")
    #expect(Linked.second.traits == Flag("linked", default: "", Linked.second.metadata).traits)
    #expect(Linked.first.defaultValue == "first: first")
    let flag: any EnumeratedFlag<String> = Linked.second
    #expect(flag.key == "second")
  }

  #if os(macOS) || os(Linux)
    @Test("An own key that uses a key stops the program with the enum's name")
    func stopsAtCircle() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Circular.only.key
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("Circular: expected an ownKey that uses no case's key"))
    }
  #endif

  @Test("Metadata of a case count as any flag's")
  func hasMetadata() {
    #expect(Limit.maximum.metadata.owner == "feed")
    #expect(Limit.maximum.traits == .requiresRestart)
    #expect(Limit.pageSize.traits == [])
    #expect(Limit.pageSize.dataType.name == "Int")
  }
}

private enum RemoteFeature: String, CaseIterable, EnumeratedFlag {
  case blaze, jetpackSocial
  case siteEditor = "site_editor_mvp"
  case retired

  var defaultValue: Bool { self == .blaze }
  var ownKey: FlagKey? { self == .retired ? "Old/Key" : nil }
}

private enum Linked: String, CaseIterable, EnumeratedFlag {
  case first, second

  var defaultValue: String { "\(Self.first.key): \(key)" }
  var metadata: FlagMetadata { FlagMetadata("A link.", requires: self == .second ? Self.first.key : nil) }
}

private enum Circular: String, CaseIterable, EnumeratedFlag {
  case only

  var defaultValue: Bool { false }
  var ownKey: FlagKey? { key }
}

private enum Limit: String, CaseIterable, EnumeratedFlag {
  case pageSize = "Page_Size"
  case maximum

  static let keyStyle = KeyStyle(prefix: "app", separator: "/", transform: .none)
  var defaultValue: Int { self == .pageSize ? 20 : 100 }
  var metadata: FlagMetadata { FlagMetadata("A limit.", requiresRestart: self == .maximum, owner: "feed") }
}

private enum Single: String, CaseIterable, EnumeratedFlag {
  case onlyOne
  var defaultValue: String? { nil }
}

private enum Counted: String, CaseIterable, EnumeratedFlag {
  case only
  static let reads = Locked(0)
  var defaultValue: Bool {
    Self.reads.withLock { $0 += 1 }
    return false
  }
}

private enum Shared: String, CaseIterable, EnumeratedFlag {
  case first, second
  var defaultValue: Bool { false }
}

private enum Partly: String, CaseIterable, EnumeratedFlag {
  case unlisted, listed
  static let allCases = [Partly.listed]
  var defaultValue: Bool { false }
}

private struct Tagged: EnumeratedFlag {
  let rawValue: String
  static let allCases = [Tagged(rawValue: "first"), Tagged(rawValue: "second")]
  var defaultValue: Bool { false }
}
