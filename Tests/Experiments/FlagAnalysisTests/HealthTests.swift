import FlagAnalysis
import FlagDomain
import FlagEvents
import FlagStatistics
import Testing

@Suite("The health of an experiment's data")
struct HealthTests {
  private static func events(users: Int = 400) -> [TrackedEvent] {
    (0..<users).flatMap { number -> [TrackedEvent] in
      let unit = "user \(number)"
      return [
        .exposed(unit, number % 2 == 0 ? "a" : "b", at: 1_000), .did("buy", unit, at: number % 3 == 0 ? 1_001 : 1_400),
      ]
    }
  }

  private static func panel(
    _ events: [TrackedEvent], tolerance: Double = 0.01, _ settings: AnalysisSettings = AnalysisSettings()
  ) throws -> HealthPanel {
    var settings = settings
    settings.tolerance = tolerance
    return try ExperimentAnalysis(of: ExperimentData(events), settings).health
  }

  private static func check(_ kind: HealthPanel.Kind, in panel: HealthPanel) throws -> HealthPanel.Check {
    try #require(panel.checks.first { $0.kind == kind })
  }

  @Test("Data without a flaw is sound")
  func isSound() throws {
    let panel = try Self.panel(Self.events())
    #expect(panel.isSound && panel.checks.map(\.count) == [0, 0, 0])
  }

  @Test("A clock behind for half of one variant loses its conversions, and fails")
  func seesClocks() throws {
    var events = Self.events()
    for (index, event) in events.enumerated() {
      guard case .conversion(let conversion) = event.content, index / 2 % 4 == 1 else { continue }
      let unit = try #require(conversion.unit)
      events[index] = .did(conversion.name, unit, at: event.time.microseconds / 1_000_000 - 300)
    }
    let check = try Self.check(.usersBefore, in: Self.panel(events))
    #expect(check.isFailed && check.variants?.map(\.total) == [200, 200])
    #expect(check.variants?[0].count == 0 && (check.variants?[1].count ?? 0) > 20 && (check.pValue ?? 1) < 1e-6)
    // The same for both variants takes conversions from both, which is no imbalance.
    let even = Self.events() + (0..<400).map { .did("buy", "user \($0)", at: 1) }
    let spread = try Self.check(.usersBefore, in: Self.panel(even))
    #expect(!spread.isFailed && spread.share == 1 && spread.pValue == 1)
  }

  @Test("Users of several variants fail by their share, or by the variant that they saw first")
  func seesSeveral() throws {
    let both = (0..<132).map { TrackedEvent.exposed("user \($0)", $0 % 2 == 0 ? "b" : "a", at: 2_000) }
    let check = try Self.check(.usersOfSeveralVariants, in: Self.panel(Self.events() + both))
    #expect(check.isFailed && check.share == 0.33 && check.variants?.map(\.count) == [66, 66])
    #expect(try !Self.check(.usersOfSeveralVariants, in: Self.panel(Self.events() + both, tolerance: 0.5)).isFailed)
    let oneWay = (0..<40).map { TrackedEvent.exposed("user \(2 * $0)", "b", at: 2_000) }
    let uneven = try Self.check(.usersOfSeveralVariants, in: Self.panel(Self.events() + oneWay, tolerance: 0.5))
    #expect(uneven.isFailed && uneven.variants?.map(\.count) == [40, 0])
    // Ten in so few are over the share, and still too few to tell anything.
    let few = (0..<10).map { TrackedEvent.exposed("user \($0)", $0 % 2 == 0 ? "b" : "a", at: 2_000) }
    #expect(try !Self.check(.usersOfSeveralVariants, in: Self.panel(Self.events() + few)).isFailed)
  }

  @Test("Lost events fail above the tolerance, a loss that was sent twice counts once, and its users are known or not")
  func seesLosses() throws {
    func panel(_ losses: [TrackedEvent]) throws -> HealthPanel.Check {
      try Self.check(.lostEvents, in: Self.panel(Self.events() + losses))
    }
    let small = try panel([.of(.loss(TrackedLoss(count: 8)), id: "x"), .of(.loss(TrackedLoss(count: 8)), id: "x")])
    #expect(small.count == 8 && !small.isFailed && small.variants == nil && small.share == 8.0 / 808)
    let large = try panel([.of(.loss(TrackedLoss(count: 200, kept: 0.5)), id: "x")])
    #expect(large.isFailed && large.share == 0.2 && (large.pValue ?? 0) > 0.001)
    let incomplete = (0..<400).filter { TrackedLoss.position(of: "user \($0)") >= 0.5 }
    #expect(large.variants?.map(\.count) == [0, 1].map { half in incomplete.count { $0 % 2 == half } })
    let ofOneVariant = try panel(
      (0..<40).map { .of(.loss(TrackedLoss(count: 0 + 1, unit: "user \(2 * $0)")), id: "\($0)") })
    #expect(ofOneVariant.isFailed && ofOneVariant.variants?.map(\.count) == [40, 0])
    let most = try panel([.of(.loss(TrackedLoss(count: .max))), .of(.loss(TrackedLoss(count: .max)), id: "y")])
    #expect(most.count == .max && most.isFailed)
  }

  @Test("Metrics that are asked for need a conversion of anyone; exposures alone may be sound")
  func needsConversions() throws {
    let exposures = Self.events().filter { event in if case .exposure = event.content { true } else { false } }
    #expect(try Self.panel(exposures).isSound)
    var settings = AnalysisSettings()
    settings.metrics = [Metric("buy")]
    let analysis = try ExperimentAnalysis(of: ExperimentData(exposures), settings)
    #expect(!analysis.health.isSound && analysis.health.checks.first?.kind == .conversionsOfOthers)
    let text = TextReport(analysis).text
    #expect(text.contains("!!  Conversions of users who were exposed: none, nor any conversion of others\n"))
    #expect(try Self.panel(Self.events(), settings).isSound)
  }

  @Test("What aggregates do not hold is unknown, and no failure")
  func saysUnknown() throws {
    var reader = AggregateReader()
    for variant in ["a", "b"] {
      try reader.add(
        Array(#"{"kind": "variant", "flag": "f", "variant": "\#(variant)", "users": 10, "conversions": []}"#.utf8))
    }
    let analysis = try ExperimentAnalysis(of: reader.finish(), AnalysisSettings())
    #expect(analysis.health.isSound && analysis.health.checks.map(\.count) == [0, nil, nil])
    #expect(TextReport(analysis).text.contains("Events lost before they were sent: unknown\n"))
  }

  @Test("A failure comes first in every form, and cannot be overlooked")
  func isLoud() throws {
    let both = (0..<132).map { TrackedEvent.exposed("user \($0)", $0 % 3 == 0 ? "a" : "b", at: 2_000) }
    let loss = [TrackedEvent.of(.loss(TrackedLoss(count: 200, kept: 0.5)), id: "x")]
    let analysis = try ExperimentAnalysis(of: ExperimentData(Self.events() + both + loss), AnalysisSettings())
    let lines = TextReport(analysis).text.split(separator: "\n")
    #expect(lines[2].allSatisfy { $0 == "!" } && lines[3].hasPrefix("!! Health: 2 checks failed, and no number below"))
    #expect(lines.prefix(20).allSatisfy { $0.count <= 80 }, "\(lines.prefix(20).joined(separator: "\n"))")
    let page = HTMLReport(analysis).text
    #expect(page.contains(#"<p class="alarm">Health: 2 checks failed"#))
    #expect(page.contains("Events lost before they were sent: <span class=\"violated\">failed</span>, 200 ("))
    #expect(JSONReport(analysis).text.contains(#""isSound": false"#))
  }
}
