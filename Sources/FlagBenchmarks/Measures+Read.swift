import FlagComposition
import FlagDomain

extension Measures {
  /// Reading a flag through the port, with three providers and a layer of overrides behind it.
  static var read: [Measure] {
    [
      reading("read.bool", Flag("feed.flag-number-001", default: false, "")),
      reading("read.int", Flag("feed.flag-number-002", default: 0, "")),
      reading("read.double", Flag("feed.flag-number-003", default: 0.0, "")),
      reading("read.enum", Flag("feed.flag-number-004", default: Ranking.newest, "")),
      reading("read.string", Flag("feed.flag-number-005", default: "", "")),
      reading("read.array", Flag("feed.flag-number-006", default: [String](), "")),
      reading("read.codable", Flag("feed.flag-number-007", default: Layout(), "")),
      reading("read.default", Flag("feed.flag-number-404", default: true, "")),
      reading("read.bool.two-threads", Flag("feed.flag-number-001", default: false, ""), threads: 2, against: "read.bool"),
    ]
  }

  private static func reading<Value>(
    _ name: String, _ flag: Flag<Value>, threads: Int = 1, against rival: String? = nil
  ) -> Measure {
    Measure(name, against: rival) {
      let manager = try ReadFixture.manager()
      return Workload(threads: threads) { count in
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

/// Three providers, of which the last has what is asked for.
enum ReadFixture {
  static func manager() throws -> any FeatureFlagManager {
    try FlagComposition(catalogs: []) {
      Fixed(name: "first", values: [:])
      Fixed(name: "second", values: ["feed.flag-number-500": true])
      Fixed(name: "third", values: values)
    }
    .manager
  }

  private static let values: [FlagKey: FlagValue] = [
    "feed.flag-number-001": true,
    "feed.flag-number-002": 42,
    "feed.flag-number-003": 4.2,
    "feed.flag-number-004": "hottest",
    "feed.flag-number-005": "a text that is longer than fifteen bytes",
    "feed.flag-number-006": ["es", "en"],
    "feed.flag-number-007": ["columns": 2, "title": "a title that is longer than fifteen bytes", "tags": ["a"]],
  ]

  private struct Fixed: FlagProvider, ProviderSnapshot {
    let name: String
    let values: [FlagKey: FlagValue]

    func snapshot() -> any ProviderSnapshot { self }
    func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? { values[key].map { FlagAnswer($0) } }
  }
}
