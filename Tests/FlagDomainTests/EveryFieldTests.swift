import FlagDomain
import TestSupport
import Testing

@Suite("Every field of the domain's values")
struct EveryFieldTests {
  private let user = FlagUser(
    id: "ann", countryCode: "es", segments: ["beta"], attributes: ["plan": "pro"],
    contexts: ["organization": ["key": "acme", "plan": "free"]])

  private var context: EvaluationContext {
    EvaluationContext(user: user, attributes: ["appVersion": "2"], anonymousID: "visitor")
  }

  private static let editsOfUser: [@Sendable (inout FlagUser.Fields) -> Void] = [
    { $0.id = "ben" }, { $0.countryCode = nil }, { $0.countryCode = "de" }, { $0.segments = [] },
    { $0.segments = ["beta", "staff"] }, { $0.attributes = [:] }, { $0.attributes["plan"] = "free" },
    { $0.contexts = [:] }, { $0.contexts["organization"]?["plan"] = "pro" }, { $0.contexts["device"] = ["key": "d"] },
  ]

  @Test("Users are equal if every field is")
  func comparesUsers() {
    let edits = Self.editsOfUser.map { edit in
      { (user: inout FlagUser) in
        var fields = user.fields
        edit(&fields)
        user = FlagUser(fields)
      }
    }
    expectComparison(of: user, afterEach: edits, derived: ["storage.named", "storage.segmentValues"], by: ==)
    expectSameFields(FlagUser(user.fields), user)
  }

  private static var editsOfContext: [(inout EvaluationContext) -> Void] {
    editsOfUser.map { edit in
      { context in
        guard var fields = context.user?.fields else { return }
        edit(&fields)
        context.user = FlagUser(fields)
      }
    } + [
      { $0.user = nil }, { $0.attributes = [:] }, { $0.attributes["appVersion"] = "3" }, { $0.anonymousID = nil },
      { $0.anonymousID = "another" },
    ]
  }

  @Test("Contexts are equal if every field is, those of the user, too")
  func comparesContexts() {
    expectComparison(of: context, afterEach: Self.editsOfContext, by: ==)
  }

  @Test("Rules see every field of a context")
  func showsContexts() {
    expectComparison(of: context, afterEach: Self.editsOfContext) { $0.values == $1.values }
    let visitor = EvaluationContext(attributes: ["appVersion": "2"], anonymousID: "visitor")
    #expect(visitor.values == ["appVersion": "2", "targetingKey": "visitor", "visitorID": "visitor"])
    for (name, value) in context.values { #expect(context[name] == value, "\(name)") }
  }

  @Test("A flag in a set keeps every field of its metadata")
  func keepsMetadata() {
    let path = _FlagPath("settings")
    let flag = path.flag("size", default: 1, Self.metadata)
    let catalog = path.catalog(Self.metadata, [])
    for placed in [flag.metadata, catalog.metadata] {
      expectSameFields(placed, Self.metadata, except: ["path", "keyPath"])
    }
    expectEveryField(of: flag.metadata, differsFrom: FlagMetadata())
  }

  @Test("Declarations of a key share their cached values unless a field that affects values differs")
  func comparesDeclarations() {
    // What only people and consoles see.
    let shown = [
      "description", "displayName", "isInternal", "isLocked", "order", "owner", "expires", "presentation", "keyPath",
    ]
    func slot(_ metadata: FlagMetadata) -> Int { Flag("every-field.slot", default: 1, metadata).key.slot }
    expectComparison(
      of: _FlagPath("settings").flag("size", default: 1, Self.metadata).metadata, differsFrom: FlagMetadata(),
      afterEach: [
        { $0 = Self.metadata(requiresRestart: false) }, { $0 = Self.metadata(overridesRequireRestart: false) },
        { $0 = Self.metadata(isExperiment: false) }, { $0 = Self.metadata(excludedProviders: []) },
        { $0 = Self.metadata(path: ["other"]) }, { $0 = Self.metadata(isOverridable: true) },
        { $0 = Self.metadata(providers: nil) }, { $0 = Self.metadata(requires: nil) },
        { $0 = Self.metadata(isDerived: false) },
      ], derived: shown
    ) { slot($0) == slot($1) }
    #expect(slot(FlagMetadata("One.", owner: "feed")) == slot("Another."))
  }

  @Test("A resolution of a flag of any type has every field of the flag's own")
  func describesResolutions() throws {
    let error = FlagError(
      .general, "out of order", key: "size", provider: "other", isTransient: true, metadata: ["team": "feed"])
    let resolution = FlagResolution(
      7, variant: "large", reason: .split, provider: "house", errors: [error], metadata: ["version": "3"])
    expectEveryField(of: resolution)
    let flag = Flag("every-field.size", default: 1, "")
    let inspector = OneResolution(resolution: resolution)
    let described = inspector.resolution(of: flag)
    expectSameFields(
      described,
      FlagResolution(
        7, variant: "large", reason: .split, provider: "house", errors: [error],
        metadata: ["version": "3"]))
    let answer = try #require(inspector.answers(for: flag).first)
    expectSameFields(answer, ProviderAnswer(provider: "house", isExcluded: true, outcome: .success(described)))
  }

  /// Metadata in which every field is set.
  private static let metadata = metadata()

  private static func metadata(
    requiresRestart: Bool = true, overridesRequireRestart: Bool = true, isExperiment: Bool = true,
    isOverridable: Bool = false, providers: Set<String>? = ["one", "other"], excludedProviders: Set<String> = ["other"],
    requires: FlagKey? = "other", path: [_FlagPath.Component] = ["settings", "size"], isDerived: Bool = true
  ) -> FlagMetadata {
    var metadata = FlagMetadata(
      "The size.", displayName: "Size", requiresRestart: requiresRestart,
      overridesRequireRestart: overridesRequireRestart, isInternal: true, isLocked: true, isOverridable: isOverridable,
      isExperiment: isExperiment, order: 3, owner: "feed", expires: "2027-01-31", providers: providers,
      excludedProviders: excludedProviders,
      presentation: FlagPresentation(
        icon: "page", range: 5...100, step: 5, suggestions: [10], groupStyle: .navigation, userInfo: ["team": "feed"]),
      requires: requires, path: path)
    metadata.isDerived = isDerived
    return metadata
  }

  private struct OneResolution: FlagInspecting {
    let resolution: FlagResolution<Int>

    func resolution<F: FeatureFlag>(of flag: F) -> FlagResolution<F.Value> {
      guard let resolution = resolution as? FlagResolution<F.Value> else { preconditionFailure("expected an Int") }
      return resolution
    }

    func answers<F: FeatureFlag>(for flag: F) -> [ProviderAnswer<F.Value>] {
      [ProviderAnswer(provider: "house", isExcluded: true, outcome: .success(resolution(of: flag)))]
    }
  }
}
