import FlagDefinitions
import FlagDomain
import FlagJSON
import TestSupport
import Testing

/// The members of a flag, shared rules, and tests that are negated, each with every shape that it does not have.
///
/// JsonLogic takes operands of any type, and flagd gives null for those that its own operators cannot read; these close
/// a flag only where they are negated.
@Suite("Parts of another shape in the in-house format")
struct BrokenPartTests {
  private typealias Shape = ShapeCheck.Shape

  private static let users: [EvaluationContext] = (0..<50).map { number in
    let attributes: [String: FlagValue] = [
      "country": .string(number % 3 == 0 ? "es" : "fr"), "email": .string(number % 2 == 0 ? "a@b.c" : "x@y.z"),
      "version": .string(number < 9 ? "1.1.0" : "1.3.0"),
    ]
    return EvaluationContext(user: FlagUser(id: "u\(number)", attributes: attributes))
  }

  @Test("A flag is closed, and says why")
  func flags() throws {
    let flag = Self.flag(["if": [["in": [["var": "country"], ["es", "pt"]]], "yes", "no"]])
    let check = ShapeCheck(.inHouse, for: Self.users, closed: "no") { ["flags": ["f": $0]] }
    let failures = check.failures(
      of: flag,
      right: [
        "targeting": [.null, .emptyObject], "defaultVariant": [.null, .emptyText],
        "variants.yes": [.emptyText], "variants.no": [.emptyText],
        "metadata": [.object, .emptyObject], "metadata.owner": [.emptyText, .number, .bool],
      ]
    ) { !$0.hasPrefix("targeting.") }
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
  }

  @Test(
    "A test with an operand that it cannot read is closed where it is negated",
    arguments: [
      #"{"in": [{"var": "country"}, ["es"]]}"#, #"{"starts_with": [{"var": "email"}, "a@"]}"#,
      #"{"ends_with": [{"var": "email"}, "b.c"]}"#, #"{"sem_ver": [{"var": "version"}, ">=", "1.2.0"]}"#,
      #"{"and": [{"sem_ver": [{"var": "version"}, "<", "1.2.0"]}, {"in": [{"var": "country"}, ["es"]]}]}"#,
    ])
  func tests(text: String) throws {
    let check = ShapeCheck(.inHouse, for: Self.users, closed: "no") { test in
      ["flags": ["f": Self.flag(["if": [["!": test], "yes", "no"]])]]
    }
    let right: [String: Set<Shape>] = [
      "in": [.text, .emptyText, .emptyArray], "starts_with": [.emptyText], "ends_with": [.emptyText],
      "sem_ver": [.number],
    ]
    let patterns = right.flatMap { name, shapes in [("\(name).*", shapes), ("and.*.\(name).*", shapes)] }
    let failures = try check.failures(
      of: FlagValue(json: text.utf8), right: Dictionary(uniqueKeysWithValues: patterns)
    ) { path in
      // The operands after the first, which is the attribute.
      path.hasSuffix(".1") && path != "and.1" || path.hasSuffix(".2")
    }
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
  }

  @Test(
    "A test that is not negated has a warning for an operand that it cannot read, and holds for nobody",
    arguments: [
      (#"{"sem_ver": [{"var": "version"}, ">=", "1.2.3.4"]}"#, #"expected a version, found the string "1.2.3.4""#),
      (#"{"sem_ver": [{"var": "version"}, "=>", "1.2.3"]}"#, #"expected a relation, found the string "=>""#),
      (#"{"sem_ver": [{"var": "version"}, ">="]}"#, "expected two versions and a relation, found 2 operands"),
      (#"{"in": [{"var": "country"}, 5]}"#, "expected a string or an array to look in, found the integer 5"),
      (#"{"starts_with": [{"var": "email"}, 5]}"#, "expected a string, found the integer 5"),
      (#"{"ends_with": [{"var": "email"}]}"#, "expected two strings, found 1 operand"),
    ])
  func misread(test: String, reason: String) throws {
    let rule: FlagValue = [
      "if": [["and": [["==": [1, ["var": "one"]]], try FlagValue(json: test.utf8)]], "yes", "no"]
    ]
    let document = try FlagDocument(parsing: Array("\(["flags": ["f": Self.flag(rule)]] as FlagValue)".utf8))
    let diagnostic = try #require(document.diagnostics.first)
    #expect(document.diagnostics.count == 1 && diagnostic.severity == .warning)
    #expect(diagnostic.path == "$.flags.f.targeting")
    #expect(diagnostic.message == "\(reason): this condition holds for nobody")
    #expect(try Self.users.allSatisfy { try document.evaluate("f", in: $0, at: 0)?.value == "no" })
  }

  @Test(
    "Operands that are no constants are read when a negated test is evaluated",
    arguments: [
      (#"{"in": ["x", {"var": "email"}]}"#, 25), (#"{"starts_with": [{"var": "email"}, {"var": "start"}]}"#, 25),
      (#"{"sem_ver": [{"var": "version"}, "<", {"var": "limit"}]}"#, 41),
    ])
  func variables(text: String, count: Int) throws {
    let flag = try Self.flag(["if": [["!": FlagValue(json: text.utf8)], "yes", "no"]])
    let document = try FlagDocument(parsing: Array("\(["flags": ["f": flag]] as FlagValue)".utf8))
    #expect(document.diagnostics.isEmpty)
    let values = try Self.users.map { user in
      var user = user
      user.attributes = ["start": "x", "limit": "1.2.0"]
      return try document.evaluate("f", in: user, at: 0)?.value
    }
    #expect(values.count { $0 == "yes" } == count)
  }

  @Test("A shared rule closes the flags that use it, negated or not", arguments: [false, true])
  func sharedRules(isNegated: Bool) throws {
    let check = ShapeCheck(.inHouse, for: Self.users, closed: "no") { evaluators in
      let test: FlagValue = isNegated ? ["!": ["$ref": "beta"]] : ["$ref": "beta"]
      return ["flags": ["f": Self.flag(["if": [test, "yes", "no"]])], "$evaluators": evaluators]
    }
    let failures = check.failures(of: ["beta": ["in": [["var": "country"], ["es"]]]], right: [:]) {
      $0 == "" || $0 == "beta"
    }
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
  }

  private static func flag(_ targeting: FlagValue) -> FlagValue {
    [
      "state": "ENABLED", "variants": ["yes": "yes", "no": "no"], "defaultVariant": "no", "targeting": targeting,
      "metadata": ["owner": "growth"],
    ]
  }
}
