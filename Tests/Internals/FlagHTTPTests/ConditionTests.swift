import FlagHTTP
import Testing

@Suite("Conditions")
struct ConditionTests {
  @Test(
    "Tags are compared weakly, as the table of RFC 9110, 8.8.3.2, has it",
    arguments: [
      ("W/\"1\"", "W/\"1\"", true), ("W/\"1\"", "W/\"2\"", false), ("W/\"1\"", "\"1\"", true), ("\"1\"", "\"1\"", true),
    ])
  func compares(one: String, other: String, weakly: Bool) throws {
    let (one, other) = (try #require(ETag(one)), try #require(ETag(other)))
    #expect(one.matchesWeakly(other) == weakly)
  }

  @Test("A tag is written as it was read", arguments: ["\"\"", "\"a,b\"", "W/\"x\"", "\"é\""])
  func writes(text: String) { #expect(ETag(text)?.description == text) }

  @Test(
    "What is no tag is none",
    arguments: ["", "a", "\"", "\"a", "w/\"a\"", "\"a\"b", "\"a b\"", "W/ \"a\"", "\"a\"\"b\""])
  func refuses(text: String) { #expect(ETag(text) == nil) }

  @Test("A tag with a quote in it cannot be made")
  func refusesOpaque() {
    #expect(ETag(opaque: "a\"b") == nil)
    #expect(ETag(opaque: "a\r\n") == nil)
    #expect(ETag(opaque: "ab", isWeak: true)?.description == "W/\"ab\"")
  }

  @Test(
    "A condition names any state or some",
    arguments: [
      ("*", true), (" * ", true), ("\"a\"", true), ("\"b\"", false), ("W/\"a\"", true),
      ("\"b\", W/\"a\" ,\"c\"", true), (",, \"b\",\"a\",", true), ("\"b,\", \"a\"", true),
    ])
  func matches(text: String, weakly: Bool) throws {
    let condition = try #require(ETagCondition(text))
    let tag = try #require(ETag("\"a\""))
    #expect(condition.matchesWeakly(tag) == weakly)
  }

  @Test("What is no condition is none", arguments: ["", ",", "a", "\"a\" \"b\"", "\"a\", b", "*, \"a\"", "\"a"])
  func refusesConditions(text: String) { #expect(ETagCondition(text) == nil) }

  @Test(
    "A secret is equal to itself alone",
    arguments: [
      ("secret", "secret", true), ("secre", "secret", false), ("secretsecret", "secret", false),
      ("Secret", "secret", false),
      ("", "secret", false), ("", "", false), ("a", "", false), ("aa", "a", false),
    ])
  func comparesSecrets(text: String, secret: String, isEqual: Bool) {
    #expect(ConstantTime.equals(text.utf8, secret: Array(secret.utf8)) == isEqual)
  }
}
