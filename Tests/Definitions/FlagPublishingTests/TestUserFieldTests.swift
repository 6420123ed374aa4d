import FlagDefinitions
import FlagDomain
import FlagPublishing
import TestSupport
import Testing

@Suite("Every field of test users")
struct TestUserFieldTests {
  @Test("A line gives a test user back with every field, and all that rules see of a context")
  func readsBack() throws {
    let context = EvaluationContext(
      user: FlagUser(
        id: "ann", countryCode: "es", segments: ["beta"],
        attributes: ["age": 42, "height": .manyDigits, "isPro": true],
        contexts: ["organization": ["key": "acme", "plan": "pro"]]), attributes: ["appVersion": "2"])
    let user = TestUser(name: "Ann", attributes: context.values)
    expectEveryField(of: user)
    let read = try TestUser.reading(lines: String(decoding: TestUser.lines(of: [user]), as: UTF8.self))
    expectSameFields(read, [user])
  }
}
