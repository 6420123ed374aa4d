import FeatureFlags
import FeedFlags
import SettingsFlags
import Testing

@Suite("Feature modules")
struct FlagSetTests {
  @Test("A module's flags are listed in the order of declaration, with keys and defaults", arguments: Module.all)
  func catalog(module: Module) {
    #expect(module.set.catalog.name == module.name)
    #expect(module.set.allFlags.map { "\($0.key) = \($0.defaultValue)" } == module.flags)
    #expect(module.set.catalog.flags.map(\.key) == module.set.allFlags.map(\.key))
  }

  @Test("Every flag says what it is for, and has a name for people", arguments: Module.all)
  func metadata(module: Module) {
    for metadata in [module.set.catalog.metadata] + module.set.allFlags.map(\.metadata) {
      #expect(!metadata.description.isEmpty)
    }
    #expect(module.set.allFlags.map(\.metadata.displayName) == module.titles)
  }

  @Test("No two flags of the modules share a key")
  func distinct() {
    #expect(throws: Never.self) { try DuplicateFlagKeys.check(Module.all.map { $0.set.catalog }) }
  }

  @Test("A payload is written to the flags of its module, and the rest returned", arguments: Module.all)
  func update(module: Module) throws {
    let provider = InMemoryProvider()
    let payload: [String: FlagValue] = ["feed.page-size": 1, "new-user-profile": true, "other": 2]
    let unknown = try module.set.catalog.update(provider, with: payload)
    let own = Set(module.set.allFlags.map(\.key.name))
    #expect(unknown == payload.filter { !own.contains($0.key) })
    for (name, value) in payload {
      let answer = try provider.snapshot().answer(for: FlagKey(stringLiteral: name), in: EvaluationContext())
      #expect(own.contains(name) ? answer?.value == value : answer == nil)
    }
  }
}

/// A feature module, and what is known of its flags.
struct Module: CustomTestStringConvertible, Sendable {
  var name: String
  var set: any FlagSet.Type
  var flags: [String]
  var titles: [String]

  var testDescription: String { name }

  static let all = [
    Module(
      name: "settings", set: SettingsFlags.self,
      flags: ["new-user-profile = false", "updated-settings-ui = false", #"settings-content = ["es", "en"]"#],
      titles: ["New User Profile", "Updated UI", "Enabled Countries"]),
    Module(
      name: "feed", set: FeedFlags.self,
      flags: [
        "feed.page-size = 20", "feed-ranking = chronological",
        "feed.layout = \(FeedLayout(columns: 1, showsLikes: true))",
      ],
      titles: ["Page Size", "Ranking", "Layout"]),
  ]
}
