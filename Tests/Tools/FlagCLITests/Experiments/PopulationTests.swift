import FlagComposition
import FlagDomain
import FlagProviders
import FlagTracking
import Foundation
import TestSupport
import Testing

/// People who see one of two pages, and buy more often after one of them, from the SDK to the verdict.
@Suite("Experiments on random populations", .computing, .timeLimit(.minutes(15)))
struct PopulationTests {
  @Test(
    "A known effect is within its interval, or the data is not sound",
    arguments: Population.Setup.allCases, Array(0..<UInt64(Effort.rounds(1, thorough: 3, long: 4))))
  func findsEffect(setup: Population.Setup, seed: UInt64) async throws {
    var population = Population(setup, seed: seed, people: Effort.rounds(400, long: 10_000))
    let report = try await population.report()
    let sentence = "\(setup), \(population.lift): \(report)"
    #expect(
      !report.isSound || report.interval.map { $0[0] <= population.lift && population.lift <= $0[1] } == true,
      "\(sentence)")
    #expect(report.isSound == setup.isRight, "\(sentence)")
    #expect(report.exitCode == (report.isSound ? 0 : 1), "\(sentence)")
    if setup.isRight, population.lift > 0 { #expect((report.interval?[0] ?? 0) > 0, "\(sentence)") }
  }
}

/// A population, and what it does.
struct Population {
  /// What the experiment assigns and counts, and who does things.
  enum Setup: CaseIterable {
    /// Users who are signed in, of a server.
    case users
    /// Companies of several users.
    case companies
    /// Devices on which people sign in, out, and in as others.
    case devices
    /// Users, some of whom come as visitors and sign in.
    case usersWhoSignIn
    /// The same, assigned by the device and counted by the user.
    case devicesCountedByUser
    /// The same, assigned by the user and counted by the device.
    case usersCountedByDevice
    /// Companies, whose conversions are tracked by users alone.
    case companiesWithoutConversions

    /// Whether the numbers mean what they say.
    var isRight: Bool { [.users, .companies, .devices].contains(self) }
  }

  private let setup: Setup
  private let people: Int
  private var random: SeededGenerator
  private let base: Double
  private let signIns: Double
  /// The effect, as a part of what people do without it.
  let lift: Double

  init(_ setup: Setup, seed: UInt64, people: Int) {
    (self.setup, self.people) = (setup, people)
    random = SeededGenerator(seed: seed)
    base = Double.random(in: 0.25...0.35, using: &random)
    lift = seed % 4 == 3 ? 0 : Double.random(in: 0.9...1.3, using: &random)
    signIns = Double.random(in: 0.3...0.7, using: &random)
  }

  struct Outcome {
    let exitCode: Int32
    let isSound: Bool
    /// The interval of the effect; nil if there is none.
    let interval: [Double]?
  }
}

extension Population {
  /// Lets everyone see and do things, and analyzes what was tracked.
  mutating func report() async throws -> Outcome {
    let folder = FileManager.default.temporaryDirectory.appending(path: "population-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
    let events = folder.appending(path: "events.jsonl")
    let tracker = try EventTracker(in: folder.appending(path: "queue"), to: FileSink(events), options: .server)
    try live(tracker)
    try await tracker.shutdown(timeout: .seconds(60))
    // So strict that no population of the test misses its interval by chance.
    let words = [
      "analyze", "--events", "e", "--metric", "buy:count", "--control", "old", "--alpha", "0.00001", "--json",
    ]
    let run = Transcript(words, files: ["e": try String(contentsOf: events, encoding: .utf8)])
    let report = try Report(run.output)
    let rows = (report.metrics.firstObject as? [String: Any])?["variants"] as? [[String: Any]]
    return Outcome(
      exitCode: run.exitCode, isSound: (report["health"] as? [String: Any])?["isSound"] as? Bool == true,
      interval: rows?.last?["interval"] as? [Double])
  }

  private mutating func live(_ tracker: EventTracker) throws {
    switch setup {
    case .users, .companies, .companiesWithoutConversions:
      let flags = try FeatureFlagClient(catalogs: [], exposures: tracker) { try provider }
      for number in 0..<people { visitServer(flags, tracker, number) }
    case .devices, .usersWhoSignIn, .devicesCountedByUser, .usersCountedByDevice:
      let provider = try provider
      for number in 0..<people {
        let ids = AnonymousIDs(in: Device(id: "device-\(number)"))
        let flags = try FeatureFlagClient(
          catalogs: [],
          configuration: .init {
            $0.exposures = tracker
            $0.anonymousIDs = ids
          }
        ) { provider }
        visitApp(flags, tracker, number)
      }
    }
  }

  /// A company's users, or a user, see the page, and buy.
  private mutating func visitServer(_ flags: FeatureFlagClient, _ tracker: EventTracker, _ number: Int) {
    for colleague in 0..<(setup == .users ? 1 : Int.random(in: 2...4, using: &random)) {
      // A user's id is also that of another company, as numbers are.
      let user = FlagUser(id: "\(number * 7 + colleague)", attributes: ["company": .string("company-\(number)")])
      guard buys(flags.manager(for: user).variation(for: Self.page)) else { continue }
      if setup == .companiesWithoutConversions {
        tracker.collect(Conversion(name: "buy", unit: user.id))
      } else {
        flags.conversions(of: user, to: tracker).track("buy")
      }
    }
  }

  /// A person sees the page on a device, signs in or does not, sees the page again, and buys.
  private mutating func visitApp(_ flags: FeatureFlagClient, _ tracker: EventTracker, _ number: Int) {
    let buys = buys(flags.manager.variation(for: Self.page))
    if Double.random(in: 0..<1, using: &random) < signIns {
      flags.authenticator.setUser(FlagUser(id: "user-\(number)"))
      if Bool.random(using: &random) { _ = flags.manager.variation(for: Self.page) }
      if Bool.random(using: &random) {
        flags.authenticator.setUser(Bool.random(using: &random) ? nil : FlagUser(id: "other"))
      }
    }
    if buys { flags.conversions(to: tracker).track("buy") }
  }

  private mutating func buys(_ variant: String) -> Bool {
    Double.random(in: 0..<1, using: &random) < base * (variant == "new" ? 1 + lift : 1)
  }

  private static let page = Flag("page", default: "none", "The page that sells.")

  private var provider: InHouseProvider {
    get throws {
      let (assigned, counted): (String?, String?) =
        switch setup {
        case .users, .usersWhoSignIn: (nil, nil)
        case .companies, .companiesWithoutConversions: ("company", "company")
        case .devices: ("visitorID", "visitorID")
        case .devicesCountedByUser: ("visitorID", nil)
        case .usersCountedByDevice: (nil, "visitorID")
        }
      let subject = assigned.map { #"{"cat": [{"var": "$flagd.flagKey"}, {"var": "\#($0)"}]}, "# } ?? ""
      let unit = counted.map { #", "unitAttribute": "\#($0)""# } ?? ""
      let text = #"""
        {"flags": {"page": {"state": "ENABLED", "variants": {"old": "old", "new": "new"}, "defaultVariant": "old",
          "targeting": {"fractional": [\#(subject)["old", 50], ["new", 50]]}, "metadata": {"experiment": true\#(unit)}}}}
        """#
      return try InHouseProvider(data: Data(text.utf8))
    }
  }

  private struct Device: AnonymousIDStore {
    let id: String
    func load() throws(FlagError) -> String? { id }
    func store(_ id: String?) throws(FlagError) {}
  }
}
