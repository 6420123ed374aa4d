import FlagComposition
import FlagDomain
import FlagMacros
import FlagProviders
import FlagTesting
import Foundation
import Testing

@FlagSet("features", key: "", "The features of the app.")
struct Features {
  @Flag("Shows the blue line.") var blueLine = false
  @Flag("Reads the new store.", requiresRestart: true) var newStore = true
  @Flag("Is on on Tuesdays.", computed: { context in context["weekday"].map { $0 == "tuesday" } })
  var tuesdays = false
  @FlagGroup(key: "", "What is tried out.") var experiments: Experiments
}

@FlagSet("experiments", "What is tried out.")
struct Experiments {
  @Flag("Formats URLs anew.") var newURLFormat = false
}

@Suite("Guide from Override")
struct FromOverrideGuide {
  @Test("What the guide shows holds")
  func holds() throws {
    let store = FileOverrideStore(
      FileManager.default.temporaryDirectory.appending(path: "override-guide-\(UUID().uuidString).json"))
    let flags = try FeatureFlagClient(
      catalogs: [Features.catalog], attributes: ["weekday": "tuesday"], overrides: store
    ) {}
    let features = Features(flags.manager)
    let overrides = flags.overrides
    #expect(Features.allFlags.map(\.key) == ["blue-line", "new-store", "tuesdays", "new-url-format"])

    try overrides.override(features.$blueLine, with: true)
    #expect(overrides.overrideState(of: features.$blueLine) == .overridden(true, original: false))
    try overrides.clearOverride(of: features.$blueLine)
    #expect(overrides.overrideState(of: features.$blueLine) == .original(false))

    #expect(features.tuesdays)

    try overrides.override(features.$newStore, with: false)
    #expect(features.newStore)
    #expect(overrides.keysAwaitingRestart == ["new-store"])

    let later = Flag("plugin.page", default: false, "Came with a plug-in.")
    #expect(flags.manager.variation(for: later) == false)
    #expect(throws: DuplicateFlagKeys.self) {
      try DuplicateFlagKeys.check([Features.catalog, FlagCatalog("plugin") { Flag("tuesdays", default: true, "") }])
    }

    try overrides.clearOverrides()
  }
}

extension Features {
  func lines(_ overrides: any FlagOverriding) -> [String] {
    Self.catalog.entries.map { entry in
      let state = overrides.text(of: entry.flag)
      let titles = entry.groups.map { $0.prefix(1).uppercased() + $0.dropFirst() }
      let path = (titles + [entry.flag.metadata.displayName ?? ""]).joined(separator: " → ")
      return "\(path) [\(state)]"
    }
  }
}

extension FlagOverriding {
  func text(of flag: some FeatureFlag) -> String {
    let state = overrideState(of: flag)
    let value = (state.value as? Bool).map { $0 ? "ON" : "OFF" } ?? "\(state.value)"
    return "\(value) by \(state.isOverridden ? "override" : "default")"
  }
}

extension FromOverrideGuide {
  @Test("What the guide shows of lists and tests holds")
  func lists() throws {
    let flags = try FeatureFlagClient(catalogs: [Features.catalog], attributes: ["weekday": "tuesday"]) {}
    let features = Features(flags.manager)
    let overrides = flags.overrides
    try overrides.override(features.experiments.$newURLFormat, with: true)
    #expect(
      features.lines(overrides) == [
        "Features → Blue Line [OFF by default]",
        "Features → New Store [ON by default]",
        "Features → Tuesdays [ON by default]",
        "Features → Experiments → New URL Format [ON by override]",
      ])

    let tested = Features(ScopedFlags())
    withFlags {
      $0.set(Features.flags.blueLine, to: true)
    } run: {
      #expect(tested.blueLine)
    }
    #expect(tested.blueLine == false)
  }
}
