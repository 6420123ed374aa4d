import FlagDomain
import FlagMacros
import TestSupport
import Testing

@Suite("Every field of metadata in attributes")
struct EveryFieldTests {
  @Test("A flag's attribute can say everything that metadata have, with a key of its own or without")
  func metadataOfFlags() {
    let flags = EveryFieldFlags.flags
    let derived = AnswerFlags.flags.quickAnswers.metadata
    expectEveryField(
      of: flags.size.metadata, flags.ratio.metadata, flags.shared.metadata, derived, differsFrom: FlagMetadata())
    expectEveryField(of: flags.size.metadata, derived, differsFrom: FlagMetadata())
    // A key that is given has no path that it is made of.
    expectSameFields(flags.ratio.metadata, flags.size.metadata, except: ["path", "keyPath"])
    expectSameFields(flags.shared.metadata, flags.size.metadata, except: ["path", "keyPath"])
  }

  @Test("The attributes of a set and of a group can say everything that metadata have for one")
  func metadataOfGroups() throws {
    let group = try #require(
      EveryFieldFlags.catalog.items.compactMap { if case .group(let group) = $0 { group } else { nil } }.first)
    // What only a flag has.
    let ofFlags = [
      "requiresRestart", "overridesRequireRestart", "isExperiment", "expires", "requires", "presentation.range",
      "presentation.step", "presentation.suggestions",
    ]
    for metadata in [group.metadata, EveryFieldFlags.catalog.metadata] {
      let places = ["path", "keyPath"]
      expectSameFields(metadata, EveryFieldFlags.flags.size.metadata, except: ofFlags + places)
    }
  }

  @Test("A group with a description of its own is as internal and locked as its set, and has its owner and icon")
  func mergesGroups() {
    let groups = OuterFlags.catalog.items.compactMap { if case .group(let group) = $0 { group.metadata } else { nil } }
    let places = ["path", "keyPath"]
    let set = UnkeyedFlags.catalog.metadata
    let own = ["description", "displayName", "order"]
    expectSameFields(groups[0], set, except: places + own)
    #expect((groups[0].description, groups[0].displayName, groups[0].order) == ("Described here.", "Described", 0))
    expectSameFields(groups[1], set, except: places)
    #expect(groups[2].owner == "growth" && groups[2].presentation == FlagPresentation(icon: "other"))
    #expect(groups[2].isLocked && groups[2].isInternal)
  }
}

private enum Key: String { case shared = "every-field.shared-key" }

@FlagSet(
  "every-field", "The size.", displayName: "Size", isInternal: true, isLocked: true, isOverridable: false, order: 3,
  owner: "feed", providers: ["one", "other"], excludedProviders: ["other"],
  presentation: .init(icon: "page", groupStyle: .navigation, userInfo: ["team": "feed"]))
private struct EveryFieldFlags {
  @Flag(
    "The size.", displayName: "Size", requiresRestart: true, overridesRequireRestart: true, isInternal: true,
    isLocked: true, isOverridable: false, isExperiment: true, order: 3, owner: "feed", expires: "2027-01-31",
    providers: ["one", "other"], excludedProviders: ["other"],
    presentation: .init(
      icon: "page", range: 5...100, step: 5, suggestions: [10], groupStyle: .navigation, userInfo: ["team": "feed"]),
    requires: "unkeyed.is-on")
  var size = 20
  @Flag(
    key: "every-field-ratio", "The size.", displayName: "Size", requiresRestart: true, overridesRequireRestart: true,
    isInternal: true, isLocked: true, isOverridable: false, isExperiment: true, order: 3, owner: "feed",
    expires: "2027-01-31", providers: ["one", "other"], excludedProviders: ["other"],
    presentation: .init(
      icon: "page", range: 5...100, step: 5, suggestions: [10], groupStyle: .navigation, userInfo: ["team": "feed"]),
    requires: "unkeyed.is-on")
  var ratio = 0.5
  @Flag(
    key: Key.shared, "The size.", displayName: "Size", requiresRestart: true, overridesRequireRestart: true,
    isInternal: true, isLocked: true, isOverridable: false, isExperiment: true, order: 3, owner: "feed",
    expires: "2027-01-31", providers: ["one", "other"], excludedProviders: ["other"],
    presentation: .init(
      icon: "page", range: 5...100, step: 5, suggestions: [10], groupStyle: .navigation, userInfo: ["team": "feed"]),
    requires: "unkeyed.is-on")
  var shared = true
  @FlagGroup(
    "The size.", displayName: "Size", isInternal: true, isLocked: true, isOverridable: false, order: 3,
    owner: "feed", providers: ["one", "other"], excludedProviders: ["other"],
    presentation: .init(icon: "page", groupStyle: .navigation, userInfo: ["team": "feed"]))
  var inner: EveryFieldInnerFlags
}

@FlagSet("outer", "Sets of others.")
private struct OuterFlags {
  @FlagGroup("Described here.") var described: UnkeyedFlags
  @FlagGroup var plain: UnkeyedFlags
  @FlagGroup("Another's.", owner: "growth", presentation: .init(icon: "other")) var other: UnkeyedFlags
}

@FlagSet(
  "unkeyed", "The size.", displayName: "Size", isInternal: true, isLocked: true, isOverridable: false, order: 3,
  owner: "feed", providers: ["one", "other"], excludedProviders: ["other"],
  presentation: .init(icon: "page", groupStyle: .navigation, userInfo: ["team": "feed"]))
private struct UnkeyedFlags {
  @Flag("One of them.") var one = 1
  @Flag("A switch.") var isOn = false
}

@FlagSet("every-field-inner", "Others.")
private struct EveryFieldInnerFlags {
  @Flag("One of them.") var one = 1
}
