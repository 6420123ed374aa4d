import FlagDefinitions
import FlagDomain
import FlagLaunchDarkly
import Foundation

extension Measures {
  /// The measures of evaluating flags of LaunchDarkly's format, and of loading a document of two thousand.
  static var launchDarkly: [Measure] {
    [
      evaluating("launchdarkly.target", "flag-1000", for: "target-1000"),
      evaluating("launchdarkly.targeted", "flag-1000"),
      evaluating("launchdarkly.rollout", "flag-1001"),
      Measure("reference.json.launchdarkly") {
        let data = Data(LaunchDarklyFixture.document.utf8)
        return Workload { count in
          for _ in 0..<count { blackHole(Result { try JSONSerialization.jsonObject(with: data) }) }
        }
      },
      Measure("load.launchdarkly", against: "reference.json.launchdarkly") {
        let text = Array(LaunchDarklyFixture.document.utf8)
        return Workload { count in
          for _ in 0..<count { blackHole(Result { try LaunchDarklyFormat().read(text, of: nil) }) }
        }
      },
    ]
  }

  private static func evaluating(_ name: String, _ key: FlagKey, for user: String = "a7f3c2d9-user") -> Measure {
    Measure(name) {
      let document = try LaunchDarklyFormat().read(Array(LaunchDarklyFixture.document.utf8), of: nil)
      let context = LaunchDarklyFixture.context(of: user)
      return Workload { count in
        do {
          for _ in 0..<count { blackHole(try document.evaluate(key, in: context, at: nil, now: { 0 })) }
        } catch {
          preconditionFailure("\(error)")
        }
      }
    }
  }
}

/// A document of two thousand flags, no two of which are the same, and the context of their evaluation.
private enum LaunchDarklyFixture {
  static func context(of id: String) -> EvaluationContext {
    EvaluationContext(
      user: FlagUser(id: id, countryCode: "es", attributes: ["plan": "pro"]), attributes: ["appVersion": "2.14.3"])
  }

  static let document = """
    {"flags": {\((0..<2_000).map { "\"flag-\($0)\": \(flag($0))" }.joined(separator: ","))},
     "segments": {"beta": {"key": "beta", "version": 1, "salt": "b", "included": ["ann", "bob"], "excluded": [],
       "rules": [{"clauses": [{"attribute": "plan", "op": "in", "values": ["pro"], "negate": false}]}]}}}
    """

  /// Returns a flag with targets, a rule that does not match, and one that does; of each second, it is a rollout.
  private static func flag(_ number: Int) -> String {
    let choice =
      number % 2 == 0
      ? "\"variation\": 1"
      : """
      "rollout": {"contextKind": "user", "variations": [{"variation": 0, "weight": 40000}, \
      {"variation": 1, "weight": 60000}], "bucketBy": "key"}
      """
    return """
      {"key": "flag-\(number)", "on": true, "prerequisites": [], "targets": [{"contextKind": "user", "variation": 1, \
      "values": ["target-\(number)", "ann-\(number)"]}], "contextTargets": [], "rules": [{"variation": 0, \
      "id": "rule-\(number)", "clauses": [{"contextKind": "user", "attribute": "countryCode", "op": "in", \
      "values": ["de", "c\(number)"], "negate": false}], "trackEvents": false}, {\(choice), "id": "other-\(number)", \
      "clauses": [{"contextKind": "user", "attribute": "countryCode", "op": "in", "values": ["de", "es", "pt"], \
      "negate": false}, {"contextKind": "user", "attribute": "appVersion", "op": "semVerGreaterThan", \
      "values": ["2.1.\(number % 100)"], "negate": false}], "trackEvents": false}], "fallthrough": {"variation": 0}, \
      "offVariation": 0, "variations": [false, true], "clientSideAvailability": {"usingMobileKey": true, \
      "usingEnvironmentId": false}, "clientSide": false, "salt": "salt-\(number)", "trackEvents": false, \
      "trackEventsFallthrough": false, "debugEventsUntilDate": null, "version": \(number), "deleted": false}
      """
  }
}
