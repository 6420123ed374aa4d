import FlagDomain
import FlagProviders
import Foundation

extension Measures {
  /// Evaluating flags of the in-house format, and loading a document of ten thousand.
  static var evaluate: [Measure] {
    [
      evaluating("evaluate.static", EvaluateFixture.flag(targeting: nil)),
      evaluating("evaluate.fractional", EvaluateFixture.flag(targeting: EvaluateFixture.split)),
      evaluating("evaluate.targeted", EvaluateFixture.flag(targeting: EvaluateFixture.targeting)),
      Measure("reference.json10k") {
        let data = EvaluateFixture.document
        return Workload { count in
          for _ in 0..<count { blackHole(Result { try JSONSerialization.jsonObject(with: data) }) }
        }
      },
      Measure("load.10k", against: "reference.json10k") {
        let data = EvaluateFixture.document
        return Workload { count in
          for _ in 0..<count { blackHole(Result { try FlagDocument(parsing: data) }) }
        }
      },
    ]
  }

  private static func evaluating(_ name: String, _ flag: String) -> Measure {
    Measure(name) {
      let document = try FlagDocument(parsing: Data(EvaluateFixture.document(of: 1000, flag).utf8))
      let (key, context) = (EvaluateFixture.key(501), EvaluateFixture.context)
      return Workload { count in
        do {
          for _ in 0..<count { blackHole(try document.evaluate(key, in: context, at: 1_800_000_000)) }
        } catch {
          preconditionFailure("\(error)")
        }
      }
    }
  }
}

/// Documents whose flags are all alike, and whom they are evaluated for.
private enum EvaluateFixture {
  static let context = EvaluationContext(
    user: User(id: "a7f3c2d9-user", countryCode: "es", segments: ["beta"]), attributes: ["appVersion": "2.14.3"])

  static let split = #"{"fractional": [["red", 50], ["green", 30], ["blue", 20]]}"#

  static let targeting = """
    {"if": [{"and": [{"in": [{"var": "countryCode"}, ["de", "es", "pt"]]}, \
    {"sem_ver": [{"var": "appVersion"}, ">=", "2.1.0"]}]}, \(split), null]}
    """

  static let document = Data(document(of: 10_000, flag(targeting: targeting)).utf8)

  static func document(of count: Int, _ flag: String) -> String {
    let flags = (0..<count).map { "\"\(key($0))\": \(flag)" }
    return "{\"flags\": {\(flags.joined(separator: ","))}}"
  }

  static func flag(targeting: String?) -> String {
    """
    {"state": "ENABLED", "variants": {"red": "#f00", "green": "#0f0", "blue": "#00f"}, "defaultVariant": "red", \
    "targeting": \(targeting ?? "null")}
    """
  }

  /// A key of twenty bytes.
  static func key(_ number: Int) -> String { "feed.flag-num-\(100_000 + number)" }
}
