import FlagDefinitions
import FlagComposition
import FlagDomain
import FlagProviders
import Foundation
import Observation
import Synchronization

extension Measures {
  /// The measures of reading a flag through the port, with three providers and a layer of overrides behind it.
  static var read: [Measure] {
    [
      reading("read.bool", Flag("feed.flag-number-001", default: false, "")),
      reading("read.int", Flag("feed.flag-number-002", default: 0, "")),
      reading("read.double", Flag("feed.flag-number-003", default: 0.0, "")),
      reading("read.enum", Flag("feed.flag-number-004", default: Ranking.newest, "")),
      reading("read.string", Flag("feed.flag-number-005", default: "", ""), against: "reference.texts"),
      reading(
        "read.array", Flag("feed.flag-number-006", default: [String](), ""), against: "reference.arrays"),
      codable,
      reading("read.default", Flag("feed.flag-number-404", default: true, "")),
      observed,
      underWrites,
      afterChange,
    ] + requests
  }

  /// The measure of a structure of which the reader uses a part.
  private static var codable: Measure {
    Measure("read.codable", against: "reference.structures") {
      let manager = try ReadFixture.manager()
      let flag = Flag("feed.flag-number-007", default: Layout(), "")
      return Workload { count in
        // Not the whole: a black hole would see one more copy of it, which no reader makes.
        for _ in 0..<count { blackHole(manager.variation(for: flag).columns) }
      }
    }
  }

  /// The measure of a read inside a scope that Observation tracks.
  private static var observed: Measure {
    Measure("read.observed") {
      let manager = try ReadFixture.flags().observedManager
      let flag = Flag("feed.flag-number-001", default: false, "")
      return Workload { count in
        withObservationTracking {
          for _ in 0..<count { blackHole(manager.variation(for: flag)) }
        } onChange: {
        }
      }
    }
  }

  /// The measure of a read while another thread changes overrides a thousand times a second.
  private static var underWrites: Measure {
    Measure("read.bool.under-writes", against: "read.bool") {
      let flags = try ReadFixture.flags()
      let manager = flags.manager
      let flag = Flag("feed.flag-number-001", default: false, "")
      let round = Round()
      let writer: @Sendable () -> Void = {
        blackHole(Result { try flags.overrides.setOverrides(["feed.flag-number-900": .int(Int128(round.next()))]) })
        Thread.sleep(forTimeInterval: 0.001)
      }
      return Workload(meanwhile: writer) { count in
        for _ in 0..<count { blackHole(manager.variation(for: flag)) }
      }
    }
  }

  /// The measure of reading all thousand flags of a document after each of many changes of the document.
  private static var afterChange: Measure {
    Measure("read.after-change") {
      let documents = try ["on", "off"].map { try ReadFixture.document(defaultVariant: $0) }
      let provider = InHouseProvider(documents[0])
      let manager = try FeatureFlagClient(catalogs: []) { provider }.manager
      let flags = ReadFixture.documentKeys.compactMap(FlagKey.init).map { Flag($0, default: false, "") }
      let round = Round()
      return Workload(parts: flags.count) {
        provider.update(with: documents[round.next() % 2])
      } run: { count in
        for _ in 0..<count {
          for flag in flags { blackHole(manager.variation(for: flag)) }
        }
      }
    }
  }

  /// The measures of a server's request: a manager for its user, and five targeted flags read from it, each with a rule
  /// of a list, or of a list, a version and shares.
  private static var requests: [Measure] {
    [("request.five", ReadFixture.isInCountry), ("request.five-flags", ReadFixture.isInShare)].map { name, rule in
      Measure(name) { Workload(run: ReadFixture.requests(of: try ReadFixture.requestFlags(rule: rule))) }
    }
  }

  private static func reading<Value>(_ name: String, _ flag: Flag<Value>, against rival: String? = nil) -> Measure {
    Measure(name, against: rival) {
      let manager = try ReadFixture.manager()
      return Workload { count in
        for _ in 0..<count { blackHole(manager.variation(for: flag)) }
      }
    }
  }
}

enum Ranking: String, Decodable, Sendable { case newest, hottest }

struct Layout: Decodable, Sendable {
  var columns = 1
  var title = "none"
  var tags: [String] = []
}

/// The three providers of read measures, of which the last has the value.
enum ReadFixture {
  static func flags(exposures: (any ExposureTracker)? = nil) throws -> FeatureFlagClient {
    let flags = try FeatureFlagClient(catalogs: [], exposures: exposures) {
      Fixed(name: "first", values: [:])
      Fixed(name: "second", values: ["feed.flag-number-500": true])
      Fixed(name: "third", values: values)
    }
    try flags.overrides.setOverrides(["feed.flag-number-900": true])
    return flags
  }

  static func manager() throws -> any FeatureFlagManager { try flags().manager }

  /// The keys of the document's flags.
  static let documentKeys = (0..<1000).map { "feed.flag-number-\(String($0 + 1000).suffix(3))" }

  /// The rule of a list.
  static let isInCountry = """
    {"if": [{"in": [{"var": "countryCode"}, ["de", "es", "pt"]]}, "on", "off"]}
    """

  /// The rule of a list, a version and shares.
  static let isInShare = """
    {"if": [{"and": [
    {"in": [{"var": "countryCode"}, ["de", "es", "pt"]]}, {"sem_ver": [{"var": "appVersion"}, ">=", "2.1.0"]}]},
    {"fractional": [["on", 50], ["off", 50]]}, null]}
    """

  /// Returns a document of a thousand flags, each with a rule.
  static func document(defaultVariant: String, rule: String = isInShare) throws -> FlagDocument {
    try FlagDocument(parsing: Data(text(defaultVariant: defaultVariant, rule: rule).utf8))
  }

  /// Returns the text of that document.
  static func text(defaultVariant: String, rule: String = isInShare) -> String {
    let flags = documentKeys.map { key in
      """
      "\(key)": {"state": "ENABLED", "variants": {"on": true, "off": false},
      "defaultVariant": "\(defaultVariant)", "targeting": \(rule)}
      """
    }
    return "{\"flags\": {\(flags.joined(separator: ","))}}"
  }

  /// A text that is stored outside of its String value.
  static let longText = "a text that is longer than fifteen bytes"

  private static let values: [FlagKey: FlagValue] = [
    "feed.flag-number-001": true,
    "feed.flag-number-002": 42,
    "feed.flag-number-003": 4.2,
    "feed.flag-number-004": "hottest",
    "feed.flag-number-005": .string(longText),
    "feed.flag-number-006": ["es", "en"],
    "feed.flag-number-007": ["columns": 2, "title": .string(longText), "tags": ["a"]],
  ]

  private struct Fixed: FlagProvider, ProviderSnapshot {
    let name: String
    let values: [FlagKey: FlagValue]

    func snapshot() -> any ProviderSnapshot { self }
    func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? { values[key].map { FlagAnswer($0) } }
  }
}

/// A counter of calls.
final class Round: Sendable {
  private let number = Atomic(0)
  func next() -> Int { number.add(1, ordering: .relaxed).newValue }
}
