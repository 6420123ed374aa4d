import FlagComposition
import FlagDefinitions
import FlagDomain
import FlagProviders
import Foundation

extension Measures {
  /// The measures of changes, each of which has an effect: overrides, writes to a provider, documents, the context.
  static var write: [Measure] {
    [
      override("write.override"),
      override("write.then-read", isRead: true),
      override("write.streams.1000", streams: 1000),
      memory("write.memory.50", keys: 50),
      memory("write.memory.900", against: "write.memory.50", keys: 900),
      memory("write.client.50", keys: 50, isFollowed: true),
      memory("write.client.900", against: "write.client.50", keys: 900, isFollowed: true),
      replacement,
      context("write.attribute") { $0.context.updateAttributes(["round": .int(Int128($1))], removing: []) },
      context("write.sign-in") { $0.authenticator.setUser(FlagUser(id: $1 % 2 == 0 ? "a7f3c2d9" : "b81e04aa")) },
    ]
  }

  /// Returns the measure of an override of one flag, with streams of a number of flags, and optionally its next read.
  private static func override(_ name: String, streams: Int = 0, isRead: Bool = false) -> Measure {
    Measure(name) {
      let client = try ReadFixture.flags()
      let (overrides, manager) = (client.overrides, client.manager)
      let flags = ReadFixture.documentKeys.compactMap(FlagKey.init).map { Flag($0, default: false, "") }
      let streams = flags.prefix(streams).map { client.observer.values(of: $0) }
      let round = Round()
      return Workload { count in
        withExtendedLifetime(streams) {
          for _ in 0..<count {
            blackHole(Result { try overrides.setOverrides(["feed.flag-number-001": .bool(round.next() % 2 == 0)]) })
            if isRead { blackHole(manager.variation(for: flags[1])) }
          }
        }
      }
    }
  }

  /// Returns the measure of a write of one key after the other to a provider, alone or in a client.
  private static func memory(
    _ name: String, against rival: String? = nil, keys count: Int, isFollowed: Bool = false
  ) -> Measure {
    Measure(name, against: rival) {
      let keys = (0..<count).compactMap { FlagKey(validating: "write.flag-number-\($0 + 1000)") }
      let provider = InMemoryProvider(Dictionary(uniqueKeysWithValues: keys.map { ($0, false) }))
      let client = isFollowed ? try FeatureFlagClient(catalogs: []) { provider } : nil
      let round = Round()
      return Workload { count in
        withExtendedLifetime(client) {
          for _ in 0..<count {
            let number = round.next()
            provider.write(.int(Int128(number)), for: keys[number % keys.count])
          }
        }
      }
    }
  }

  /// The measure of replacing a document by one that defines one of 2,000 flags differently.
  private static var replacement: Measure {
    Measure("replace.one-of-2000") {
      let documents = try [1, 2].map(WriteFixture.document)
      let provider = InHouseProvider(documents[0])
      let client = try FeatureFlagClient(catalogs: []) { provider }
      let round = Round()
      return Workload { count in
        withExtendedLifetime(client) {
          for _ in 0..<count { provider.update(with: documents[round.next() % 2]) }
        }
      }
    }
  }

  /// Returns the measure of a change of the context.
  private static func context(
    _ name: String, change: @escaping @Sendable (FeatureFlagClient, Int) -> Void
  ) -> Measure {
    Measure(name) {
      let flags = try ReadFixture.flags()
      let round = Round()
      return Workload { count in
        for _ in 0..<count { change(flags, round.next()) }
      }
    }
  }
}

private enum WriteFixture {
  /// Returns a document of 2,000 flags with rules, whose flag 1,234 has a share of its own.
  static func document(share: Int) throws -> FlagDocument {
    let flags = (0..<2000).map { number in
      """
      "write.flag-\(number)": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
      "targeting": {"fractional": [["on", \(number == 1234 ? share : 50)], ["off", 50]]}}
      """
    }
    return try FlagDocument(parsing: Data("{\"flags\": {\(flags.joined(separator: ","))}}".utf8))
  }
}
