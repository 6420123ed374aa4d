@testable import FlagDomain
import Testing

@Suite("Catalogs")
struct FlagCatalogTests {
  private let catalog = FlagCatalog("settings", "The settings screen.") {
    Flag("new-user-profile", default: false, "Shows the redesigned profile.")
    FlagCatalog("privacy") { Flag("privacy.last-seen", default: true, "Shows when a user was last seen.") }
    Flag("page-size", default: 20, FlagMetadata("Rows on a page.", displayName: "Page size"))
  }

  @Test("Flags come flat, in the order of their declaration")
  func listsFlags() {
    #expect(catalog.flags.map(\.key) == ["new-user-profile", "privacy.last-seen", "page-size"])
  }

  @Test("Each flag comes with the groups that lead to it")
  func listsGroups() {
    #expect(catalog.entries.map(\.groups) == [["settings"], ["settings", "privacy"], ["settings"]])
  }

  @Test("Catalogs are equal where name, metadata, groups and flags are, the latter by all that declares them")
  func compares() {
    func catalog(_ item: some FeatureFlag) -> FlagCatalog {
      FlagCatalog("settings", "The settings.") { FlagCatalog("group") { item } }
    }
    let size = catalog(Flag("size", default: 1, "A number."))
    #expect(size == catalog(Flag("size", default: 1, "A number.")))
    #expect(Set([size, catalog(Flag("size", default: 1, "A number."))]).count == 1)
    let others = [
      catalog(Flag("sizes", default: 1, "A number.")), catalog(Flag("size", default: 2, "A number.")),
      catalog(Flag("size", default: 1, "Another.")), catalog(Flag("size", default: 1 as UInt8, "A number.")),
      catalog(Flag("size", default: 1, "A number.") { _ in 2 }), FlagCatalog("settings", "The settings.") {},
      FlagCatalog("other", "The settings.") { FlagCatalog("group") { Flag("size", default: 1, "A number.") } },
    ]
    #expect(Set(others + [size]).count == others.count + 1)
    #expect(!others.contains(size))
    let unencodable = FlagCatalog("a") { Flag("unencodable", default: Unencodable(), "") }
    #expect(unencodable == unencodable)
  }

  private struct Unencodable: Decodable {}

  @Test("What all flags say at one moment can be compared, and kept")
  func valuesOfAMoment() {
    let size = Flag("page-size", default: 20, "")
    let values = catalog.values(in: FixedFlags { $0.set(size, to: 5) })
    #expect(values == ["new-user-profile": false, "privacy.last-seen": true, "page-size": 5])
    #expect(catalog.values(in: FixedFlags()) != values)
    let unencodable = FlagCatalog("a") { Flag("unencodable", default: Unencodable(), "") }
    #expect(unencodable.values(in: FixedFlags()) == ["unencodable": "Unencodable()"])
  }

  @Test("Flags whose day is over are listed")
  func listsExpired() {
    let catalog = FlagCatalog("app") {
      Flag("old", default: 0, FlagMetadata(expires: "2026-01-31"))
      FlagCatalog("group") { Flag("new", default: 0, FlagMetadata(expires: "2026-02-01")) }
      Flag("none", default: 0, "")
    }
    #expect(catalog.expired(on: "2026-02-01").map(\.flag.key) == ["old"])
    #expect(catalog.expired(on: "2026-02-02").map(\.flag.key) == ["old", "new"])
  }

  @Test("Catalogs without a shared key pass")
  func passes() throws {
    try DuplicateFlagKeys.check([catalog, FlagCatalog("feed") { Flag("feed.page-size", default: 1, "") }])
  }

  @Test("Two flags with one key are an error that names both")
  func refusesDuplicates() {
    let other = FlagCatalog("feed") { Flag("page-size", default: 1, "") }
    #expect(
      throws: DuplicateFlagKeys(duplicates: [
        .init(key: "page-size", paths: ["settings > Page size", "feed > page-size"])
      ])
    ) { try DuplicateFlagKeys.check([catalog, other]) }
  }

  @Test("A catalog that is given twice is one sentence, whatever flags it has")
  func tellsRepetition() {
    let error = #expect(throws: DuplicateFlagKeys.self) { try DuplicateFlagKeys.check([catalog, catalog, catalog]) }
    #expect(error?.repeatedCatalogs == [catalog.name] && error?.duplicates == [])
    #expect(error.map { "\($0)" } == "the catalog \(catalog.name) is there more than once")
  }

  @Test("The error says which flags share which key")
  func describesDuplicates() {
    let error = DuplicateFlagKeys(duplicates: [.init(key: "k", paths: ["a > x", "b > y"])])
    #expect("\(error)" == "2 flags share the key k: a > x, b > y")
  }
}

@Suite("Evaluation context")
struct EvaluationContextTests {
  private let user = FlagUser(
    id: "42", countryCode: "es", segments: ["beta"], attributes: ["plan": "pro", "countryCode": "xx", "id": 1])

  @Test(
    "An attribute is the user's own, then a free one, then one of the surroundings",
    arguments: [
      ("targetingKey", "42"), ("countryCode", "es"), ("segments", ["beta"]), ("plan", "pro"), ("version", "1.2.3"),
      ("absent", nil),
    ] as [(String, FlagValue?)])
  func finds(name: String, value: FlagValue?) {
    let context = EvaluationContext(user: user, attributes: ["version": "1.2.3", "plan": "free"])
    #expect(context[name] == value)
    #expect(context.values[name] == value)
  }

  @Test("A visitor has the surroundings alone")
  func findsForVisitors() {
    let context = EvaluationContext(attributes: ["version": "1.2.3", "targetingKey": "device-1"])
    #expect(context.targetingKey == "device-1")
    #expect(context["version"] == "1.2.3")
    #expect(context["segments"] == nil)
  }

  @Test("A user without a country has that of the free attributes")
  func findsCountry() {
    let user = FlagUser(id: "1", attributes: ["countryCode": "fr"])
    #expect(EvaluationContext(user: user)["countryCode"] == "fr")
    #expect(EvaluationContext(user: user).values["countryCode"] == "fr")
  }
}
