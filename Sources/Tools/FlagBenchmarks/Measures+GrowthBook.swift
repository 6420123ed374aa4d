import FlagDefinitions
import FlagDomain
import FlagGrowthBook
import Foundation

extension Measures {
  /// The measures of evaluating features of GrowthBook's format, and of loading a document of two thousand.
  static var growthBook: [Measure] {
    [
      evaluating("growthbook.targeted", GrowthBookFixture.targeted),
      evaluating("growthbook.second-rule", GrowthBookFixture.secondRule),
      evaluating("growthbook.experiment", GrowthBookFixture.experiment),
      Measure("reference.json.growthbook") {
        let data = GrowthBookFixture.document
        return Workload { count in
          for _ in 0..<count { blackHole(Result { try JSONSerialization.jsonObject(with: data) }) }
        }
      },
      Measure("load.growthbook", against: "reference.json.growthbook") {
        let text = Array(GrowthBookFixture.document)
        return Workload { count in
          for _ in 0..<count { blackHole(Result { try GrowthBookDocument(text) }) }
        }
      },
    ]
  }

  private static func evaluating(_ name: String, _ key: FlagKey) -> Measure {
    Measure(name) {
      let document = try GrowthBookDocument(Array(GrowthBookFixture.document))
      let context = GrowthBookFixture.context
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

/// A document of two thousand features, no two of which are the same, and the context of their evaluation.
enum GrowthBookFixture {
  static let context = EvaluationContext(
    user: FlagUser(id: "a7f3c2d9-user", countryCode: "ES", attributes: ["plan": "pro"]),
    attributes: ["appVersion": "2.14.3"])

  /// A feature with a rule like that of ``EvaluateFixture/targeting``.
  static let targeted: FlagKey = "feature-1002"
  /// A feature whose first rule does not apply, and whose second one is like that.
  static let secondRule: FlagKey = "feature-1000"
  /// A feature with an experiment for some users.
  static let experiment: FlagKey = "feature-1001"

  static let document: Data = {
    let features = (0..<2_000).map { number in
      let rules = number % 2 == 0 ? rollout(number) : split(number)
      return "\"feature-\(number)\": {\"defaultValue\": false, \"rules\": [\(rules)]}"
    }
    return Data("{\"status\": 200, \"features\": {\(features.joined(separator: ","))}}".utf8)
  }()

  private static func rollout(_ number: Int) -> String {
    let other = #"{"id": "fr_\#(number)", "condition": {"company": "company-\#(number)"}, "force": true}, "#
    let first = number % 4 == 0 ? other : ""
    return """
      \(first){"id": "fr_\(number)b", "condition": {"country": {"$in": ["DE", "ES", "c\(number)"]}, \
      "appVersion": {"$vgte": "2.1.\(number)"}}, "force": true, "coverage": 1, "hashAttribute": "id", \
      "seed": "s\(number)", "hashVersion": 2}
      """
  }

  private static func split(_ number: Int) -> String {
    """
    {"id": "fr_\(number)", "key": "experiment-\(number)", "seed": "seed-\(number)", "hashAttribute": "id", \
    "hashVersion": 2, "condition": {"plan": {"$ne": "free-\(number)"}}, "variations": [false, true], \
    "weights": [0.5, 0.5], "coverage": 1, "meta": [{"key": "0", "name": "Control"}, {"key": "1", "name": "New"}], \
    "phase": "\(number % 3)", "name": "Experiment \(number)"}
    """
  }
}
