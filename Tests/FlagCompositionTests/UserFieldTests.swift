import FlagComposition
import FlagDefinitions
import FlagDomain
import FlagGrowthBook
import FlagLaunchDarkly
import FlagProviders
import TestSupport
import Testing

extension EvaluationContext {
  /// A context in which every field is set, of the user, too, and texts are too long to be stored in the string.
  static var withEveryField: EvaluationContext {
    EvaluationContext(
      user: .withEveryField, attributes: ["appVersion": "2.14.3-beta.20261126"],
      anonymousID: "a visitor before the sign-in")
  }
}

extension FlagUser {
  static var withEveryField: FlagUser {
    FlagUser(
      id: "ann of the long id, beyond fifteen bytes", countryCode: "es-of-a-long-region",
      segments: ["testers of the beta"], attributes: ["plan": "pro, paid by the year"],
      contexts: ["organization": ["key": "acme of a long name", "plan": "enterprise, paid by the year"]])
  }
}

@Suite("Fields of a user")
struct UserFieldTests {
  @Test("Every reader and the exposure see every field of a user and of the program", arguments: Rule.all)
  func agrees(rule: Rule) throws {
    let document = try rule.document()
    let tracker = GatheringTracker()
    let context = EvaluationContext.withEveryField
    let flags = try FeatureFlagClient(
      catalogs: [], attributes: context.attributes.mapValues { $0 as any FlagAttribute }, exposures: tracker
    ) { DefinitionStoreProvider(document) }
    flags.context.setAnonymousID(context.anonymousID)
    flags.authenticator.setUser(context.user)
    let flag = Flag("every-field", default: "none", FlagMetadata(isExperiment: true))
    #expect(readings(of: flag, in: flags, user: context.user) == ["on"])
    let exposures = tracker.take()
    #expect(!exposures.isEmpty)
    for exposure in exposures {
      #expect(exposure.resolution.value == "on" && exposure.unit == context.user?.id)
      expectSameFields(exposure.context, context)
    }
  }

  /// A flag that is on for those whose attribute has a value, in one of the formats.
  struct Rule: CustomTestStringConvertible, Sendable {
    let format: any DefinitionFormat
    let attribute: String
    let value: FlagValue

    static let all = [any DefinitionFormat]([.inHouse, .growthBook, .launchDarkly]).flatMap { format in
      EvaluationContext.withEveryField.values.map { Rule(format: format, attribute: $0, value: $1) }
    }

    var testDescription: String { "\(format.name), \(attribute)" }

    func document() throws -> any DefinitionDocument {
      // Of a context, one of its attributes is asked for; of a list, an element.
      let (path, value) = value.fields?["plan"].map { ("\(attribute).plan", $0) } ?? (attribute, value)
      let condition = StatedFlag.Condition(path, value.elements?.first ?? value)
      return try format.document(of: ["every-field": StatedFlag([([condition], "on")], else: "off")])
    }
  }
}
