import FlagDefinitions
import FlagDomain
import FlagProviders
import Foundation

extension Measures {
  /// The measures of evaluating flags of the in-house format, and of loading a document of ten thousand.
  static var evaluate: [Measure] {
    [
      evaluating("evaluate.static", EvaluateFixture.flag(targeting: nil)),
      evaluating("evaluate.fractional", EvaluateFixture.flag(targeting: EvaluateFixture.split)),
      evaluating("evaluate.targeted", EvaluateFixture.flag(targeting: EvaluateFixture.targeting)),
    ]
      + loading("10k") { EvaluateFixture.document }
      + loading("10k-different") { EvaluateFixture.differentDocument }
  }

  /// Returns the measures of loading a document, and of Foundation's parser for the same document.
  private static func loading(_ name: String, _ document: @escaping @Sendable () -> Data) -> [Measure] {
    let reference = "reference.json.\(name)"
    return [
      Measure(reference) {
        let data = document()
        return Workload { count in
          for _ in 0..<count { blackHole(Result { try JSONSerialization.jsonObject(with: data) }) }
        }
      },
      Measure("load.\(name)", against: reference) {
        let data = document()
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

/// The documents of many flags, and the context of their evaluation.
enum EvaluateFixture {
  static let context = EvaluationContext(
    user: FlagUser(id: "a7f3c2d9-user", countryCode: "es", segments: ["beta"]), attributes: ["appVersion": "2.14.3"])

  static let split = #"{"fractional": [["red", 50], ["green", 30], ["blue", 20]]}"#

  static let targeting = """
    {"if": [{"and": [{"in": [{"var": "countryCode"}, ["de", "es", "pt"]]}, \
    {"sem_ver": [{"var": "appVersion"}, ">=", "2.1.0"]}]}, \(split), null]}
    """

  /// A document of ten thousand identical flags.
  static let document = Data(document(of: 10_000, flag(targeting: targeting)).utf8)

  /// A document of ten thousand flags, no two of which have a rule in common.
  static let differentDocument = Data(
    document((0..<10_000).map { flag(targeting: differentTargeting($0)) }).utf8)

  static func document(of count: Int, _ flag: String) -> String { document(Array(repeating: flag, count: count)) }

  private static func document(_ flags: [String]) -> String {
    let members = flags.enumerated().map { "\"\(key($0))\": \($1)" }
    return "{\"flags\": {\(members.joined(separator: ","))}}"
  }

  /// Returns a rule like ``targeting``, with other countries, another version and other shares for each number.
  private static func differentTargeting(_ number: Int) -> String {
    let countries = (0..<3).map { "\"c\((number * 7 + $0) % 5_000)\"" }.joined(separator: ", ")
    let red = 1 + number % 97
    return """
      {"if": [{"and": [{"in": [{"var": "countryCode"}, [\(countries)]]}, \
      {"sem_ver": [{"var": "appVersion"}, ">=", "\(number / 100).\(number % 100).0"]}]}, \
      {"fractional": [["red", \(red)], ["green", \(30 + number)], ["blue", 20]]}, null]}
      """
  }

  static func flag(targeting: String?) -> String {
    """
    {"state": "ENABLED", "variants": {"red": "#f00", "green": "#0f0", "blue": "#00f"}, "defaultVariant": "red", \
    "targeting": \(targeting ?? "null")}
    """
  }

  /// Returns a key of twenty bytes.
  static func key(_ number: Int) -> String { "feed.flag-num-\(100_000 + number)" }
}
