import FlagComposition
import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagProviders
import Foundation

/// A console over a client with two providers, and stores in memory.
struct ConsoleFixture {
  let client: FeatureFlagClient
  let console: ConsoleModel
  /// The editor of the console; for a console without one, an editor of the definitions that it does not have.
  let editor: DefinitionEditor
  let local: InMemoryProvider
  let overrides: MemoryStore
  let definitions: InMemoryDefinitionStore

  init(
    catalogs: [FlagCatalog] = Shop.catalogs, _ stored: [FlagKey: FlagValue] = [:],
    values: [FlagKey: FlagValue] = ["feed.page-size": 25], document: String = Shop.document,
    ports: (inout ConsoleModel.Ports) -> Void = { _ in }, options edit: (inout ConsoleModel.Options) -> Void = { _ in },
    editing: (inout DefinitionEditor.Options) -> Void = { _ in },
    editor: (InMemoryDefinitionStore, DefinitionEditor.Options) -> DefinitionEditor? = {
      DefinitionEditor($0, options: $1)
    }
  ) throws {
    let local = InMemoryProvider(name: "local", values)
    let (store, definitions) = (MemoryStore(stored), try InMemoryDefinitionStore(document))
    let client = try FeatureFlagClient(catalogs: catalogs, overrides: store) {
      local
      InHouseProvider(try FlagDocument(parsing: Data(document.utf8)), now: { 0 })
    }
    var options = ConsoleModel.Options()
    options.allowsImport = true
    options.today = "2027-01-31"
    edit(&options)
    var all = ConsoleModel.Ports(
      snapshots: client.snapshots, overriding: client.overrides, writing: client.writer, observing: client.observer,
      authenticator: client.authenticator)
    ports(&all)
    var editingOptions = DefinitionEditor.Options()
    editing(&editingOptions)
    console = try ConsoleModel(
      catalogs: client.catalogs, all, editor: editor(definitions, editingOptions), options: options)
    self.editor = console.editor ?? DefinitionEditor(definitions)
    self.client = client
    self.local = local
    self.definitions = definitions
    overrides = store
  }
}

extension DefinitionEditor {
  func review(_ draft: DefinitionDraft, for users: ConsoleUsers = ConsoleUsers()) throws(FlagError) -> ChangeReview {
    try review(DocumentChange(draft), for: users)
  }

  @discardableResult
  func save(_ draft: DefinitionDraft) async throws -> StoredDefinitions { try await save(DocumentChange(draft)) }
}

/// Overrides in memory that can be made to fail.
final class MemoryStore: FlagOverrideStore {
  private let state: Locked<(stored: [FlagKey: FlagValue], error: FlagError?)>

  init(_ stored: [FlagKey: FlagValue]) { state = Locked((stored, nil)) }

  var stored: [FlagKey: FlagValue] { state.withLock { $0.stored } }
  func fail(with error: FlagError?) { state.withLock { $0.error = error } }
  func load() -> [FlagKey: FlagValue] { stored }

  func write(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
    try state.withLock { state throws(FlagError) in
      if let error = state.error { throw error }
      for (key, value) in values { state.stored[key] = value }
    }
  }
}

enum Ranking: String, Codable, CaseIterable, Sendable { case chronological, popular }

/// The flags of a shop.
enum Shop {
  static let profile = Flag("new-profile", default: false, "Zeigt das neue Profil: naïve façade.")
  static let pageSize = Flag(
    "feed.page-size", default: 20,
    FlagMetadata("Posts on a page.", displayName: "Page size", presentation: .init(range: 5...100, step: 5)))
  static let ranking = Flag("feed.ranking", default: Ranking.chronological, "How posts are ordered.")
  static let autoplay = Flag(
    "feed.video.autoplay", default: true,
    FlagMetadata("Plays videos at once.", displayName: "Autoplay", owner: "video", expires: "2026-12-31"))
  static let secret = Flag("secret", default: 1, FlagMetadata("Hidden.", isInternal: true))
  static let locked = Flag("locked", default: "a", FlagMetadata("Nobody's.", isLocked: true))
  static let layout = Flag(
    "layout", default: ["rows": 2], FlagMetadata("The grid.", order: -1, presentation: .init(icon: "grid")))
  static let restart = Flag("engine", default: false, FlagMetadata("The engine.", requiresRestart: true))

  static let catalogs = [
    FlagCatalog("feed", FlagMetadata("What is read.", displayName: "Feed", order: 2)) {
      pageSize
      ranking
      FlagCatalog("video", FlagMetadata("Moving pictures.", displayName: "Video posts")) { autoplay }
    },
    FlagCatalog("settings", FlagMetadata("Settings.", displayName: "Settings", order: 1)) {
      profile
      secret
      locked
      layout
      restart
    },
  ]

  static let document = """
    {"flags": {
      "new-profile": {
        "state": "ENABLED",
        "variants": {"on": true, "off": false},
        "defaultVariant": "off",
        "targeting": {
          "if": [
            {"and": [{"in": [{"var": "countryCode"}, ["es", "pt"]]}, {">=": [{"var": "age"}, 18]}]}, "on",
            {"fractional": [["on", 10], ["off", 90]]}
          ]
        }
      },
      "feed.video.autoplay": {"state": "DISABLED", "variants": {"on": true, "off": false}, "defaultVariant": "on"}
    }}
    """
}
