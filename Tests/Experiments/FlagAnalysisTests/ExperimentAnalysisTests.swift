import FlagAnalysis
import FlagEvents
import FlagStatistics
import Testing

@Suite("Analyzing experiments")
struct ExperimentAnalysisTests {
  @Test("Each number is that of the statistics")
  func agrees() throws {
    let data = try ExperimentData(users: 2_000, shares: ["a": 0.1, "b": 0.13])
    var settings = AnalysisSettings()
    settings.metrics = [Metric("purchase"), Metric("purchase", .sum, .decrease)]
    settings.correction = nil
    let analysis = try ExperimentAnalysis(of: data, settings)
    #expect(analysis.control == "a" && analysis.ratio.pValue == 1 && !analysis.ratio.isMismatch)
    let (control, treatment) = (
      try ProportionStatistics(count: 2_000, successes: 200), try ProportionStatistics(count: 2_000, successes: 260)
    )
    let difference = try MeanDifference(of: treatment, over: control)
    let comparison = try #require(analysis.metrics[0].rows[1].comparison)
    #expect(comparison.difference == difference && comparison.effect == difference.effect(on: .relative))
    #expect(comparison.oneLook.interval == difference.confidenceInterval(on: .relative))
    #expect(comparison.oneLook.pValue == difference.pValue)
    #expect(comparison.anyLook.interval == SequentialTest().confidenceInterval(of: difference, on: .relative))
    #expect(comparison.anyLook.pValue == SequentialTest().pValue(of: difference))
    #expect(comparison.chanceToWin == (try PosteriorEffect(of: difference).chanceToWin()))
    #expect(comparison.deciding.adjustedPValue == nil && comparison.verdict == .undecided)
    // Twice the value for each, and less is better.
    let sum = try #require(analysis.metrics[1].rows[1].comparison)
    #expect((sum.effect - comparison.effect).magnitude < 1e-12 && sum.chanceToWin < 0.01)
    #expect(analysis.metrics[1].rows.map(\.mean) == [0.2, 0.26])
  }

  @Test(
    "A verdict is found where there is an effect, by the way in which the metric gets better",
    arguments: [
      (0.1, .increase, .undecided), (0.3, .increase, .better), (0.01, .increase, .worse), (0.3, .decrease, .worse),
    ] as [(Double, Improvement, Comparison.Verdict)])
  func decides(share: Double, improvement: Improvement, verdict: Comparison.Verdict) throws {
    var settings = AnalysisSettings()
    settings.metrics = [Metric("purchase", .share, improvement)]
    let data = try ExperimentData(users: 1_000, shares: ["a": 0.1, "b": share])
    #expect(try ExperimentAnalysis(of: data, settings).metrics[0].rows[1].comparison?.verdict == verdict)
  }

  @Test("Corrections span metrics times variants, and leave guardrails out")
  func corrects() throws {
    let data = try ExperimentData(users: 1_000, shares: ["a": 0.1, "b": 0.13, "c": 0.12])
    var settings = AnalysisSettings()
    settings.metrics = [
      Metric("purchase"), Metric("purchase", .sum, .decrease, margin: 0.5), Metric("purchase", .count),
      Metric("absent"),
    ]
    let analysis = try ExperimentAnalysis(of: data, settings)
    func all(_ value: (Comparison) -> Double?) -> [Double?] {
      analysis.metrics.flatMap { $0.rows.dropFirst().map { $0.comparison.flatMap(value) } }
    }
    // A metric without conversions is one that could have been found.
    let family = all { $0.oneLook.pValue }.enumerated().map { [2, 3].contains($0) ? nil : $1 ?? 1 }
    let adjusted = MultipleTesting.holm.adjusted(family)
    #expect(all { $0.oneLook.adjustedPValue } == adjusted.prefix(6) + [nil, nil])
    #expect(family.compactMap { $0 }.count == 6)
  }

  @Test("An interval excludes zero exactly if the corrected verdict decides", arguments: MultipleTesting.allCases)
  func agreesWithVerdicts(correction: MultipleTesting) throws {
    for share in stride(from: 0.1, through: 0.16, by: 0.005) {
      let data = try ExperimentData(users: 2_000, shares: ["a": 0.1, "b": share, "c": 0.14])
      for looks in AnalysisSettings.Looks.allCases {
        var settings = AnalysisSettings()
        settings.metrics = [Metric("purchase"), Metric("purchase", .count), Metric("purchase", .sum)]
        (settings.correction, settings.looks) = (correction, looks)
        for row in try ExperimentAnalysis(of: data, settings).metrics.flatMap(\.rows) {
          guard let comparison = row.comparison else { continue }
          let interval = try #require(comparison.decidingInterval)
          #expect((comparison.verdict == .undecided) == interval.contains(0), "\(share) \(row.variant)")
        }
      }
    }
  }

  @Test("A guardrail is held, violated or undecided, whatever the others are")
  func guards() throws {
    let data = try ExperimentData(users: 10_000, shares: ["a": 0.1, "b": 0.12])
    func verdict(_ margin: Double) throws -> Guardrail.Verdict? {
      var settings = AnalysisSettings()
      settings.metrics = [Metric("purchase", .share, .decrease, margin: margin)]
      return try ExperimentAnalysis(of: data, settings).metrics[0].rows[1].comparison?.guardrail?.verdict
    }
    #expect(try [verdict(0.5), verdict(0.2), verdict(0.01)] == [.held, .undecided, .violated])
  }

  @Test("Users in a variant that was given none, and shares that are not the planned ones, sound the alarm")
  func alarms() throws {
    let data = try ExperimentData(users: 500, shares: ["a": 0, "b": 0])
    func isMismatch(_ weights: [String: Double]) throws -> Bool {
      var settings = AnalysisSettings()
      settings.weights = weights
      return try ExperimentAnalysis(of: data, settings).ratio.isMismatch
    }
    #expect(try [isMismatch([:]), isMismatch(["a": 1]), isMismatch(["a": 2, "b": 1])] == [false, true, true])
    #expect(try isMismatch(["a": 1, "b": 1, "gone": 1]))
  }

  /// Users who do since their first exposure much of what they did before, and what they did in pairs.
  private static func habits() throws -> (
    data: ExperimentData, counts: [PairedStatistics], shares: [PairedStatistics]
  ) {
    var events: [TrackedEvent] = []
    var (counts, shares) = ([PairedStatistics(), PairedStatistics()], [PairedStatistics(), PairedStatistics()])
    for number in 0..<600 {
      let (unit, variant) = ("\(number)", number % 2)
      let before = number / 2 % 4
      let since = max(0, before + number / 8 % 3 - 1 + (number % 5 == 0 ? variant : 0))
      events.append(.exposed(unit, ["a", "b"][variant], at: 100))
      for time in 0..<before { events.append(.did("read", unit, at: Int64(time))) }
      for time in 0..<since { events.append(.did("read", unit, at: Int64(200 + time))) }
      counts[variant].add(outcome: Double(since), covariate: Double(before))
      shares[variant].add(outcome: since > 0 ? 1 : 0, covariate: before > 0 ? 1 : 0)
    }
    return (try ExperimentData(events, measuresBefore: true), counts, shares)
  }

  @Test("A metric is adjusted by its own value before the first exposure, and the others stay as they are")
  func adjusts() throws {
    let (data, counts, shares) = try Self.habits()
    var settings = AnalysisSettings()
    settings.metrics = [Metric("read", .count), Metric("read"), Metric("read", .sum)]
    let plain = try ExperimentAnalysis(of: data, settings)
    settings.covariates = [Metric("read", .count, .decrease), Metric("read")]
    let analysis = try ExperimentAnalysis(of: data, settings)
    for (index, paired) in [counts, shares].enumerated() {
      let comparison = try #require(analysis.metrics[index].rows[1].comparison)
      let adjusted = CovariateAdjustment(control: paired[0], treatment: paired[1])
      #expect(
        comparison.difference
          == (try MeanDifference(of: adjusted.treatment, over: adjusted.control, isNonnegative: true)))
      let adjustment = try #require(comparison.adjustment)
      #expect(adjustment.theta == adjusted.theta && adjustment.varianceReduction == adjusted.varianceReduction)
      #expect(adjustment.varianceReduction > 0.2)
      let before = try #require(plain.metrics[index].rows[1].comparison)
      let widths = try [comparison, before].map { comparison in
        let interval = try #require(comparison.oneLook.interval)
        return interval.upper - interval.lower
      }
      #expect(widths[0] < 0.9 * widths[1] && before.adjustment == nil)
      #expect(analysis.metrics[index].rows.map(\.mean) == plain.metrics[index].rows.map(\.mean))
    }
    #expect(analysis.metrics[2].rows[1].failure == plain.metrics[2].rows[1].failure)
  }

  @Test("A metric that is to be adjusted must be there, and what it was before must be known")
  func refusesCovariates() throws {
    var settings = AnalysisSettings()
    settings.covariates = [Metric("purchase", .sum)]
    let data = try ExperimentData(users: 50, shares: ["a": 0.2, "b": 0.4])
    #expect(
      throws: AnalysisError(
        #"no metric is "purchase:sum", which is to be adjusted: there are "purchase:share""#)
    ) { try ExperimentAnalysis(of: data, settings) }
    settings.covariates = [Metric("purchase")]
    #expect(
      throws: AnalysisError(
        #"expected what users of "a" did before their first exposure under "purchase", found nothing: "#
          + "--covariate is an option of the query, too")
    ) { try ExperimentAnalysis(of: data, settings) }
  }

  @Test("Chances to win and losses follow from the prior")
  func believes() throws {
    var settings = AnalysisSettings()
    settings.prior = try EffectPrior(mean: -0.1, variance: 0.01)
    for (scale, improvement) in [(MeanDifference.Scale.relative, Improvement.increase), (.absolute, .decrease)] {
      (settings.scale, settings.metrics) = (scale, [Metric("purchase", .share, improvement)])
      let data = try ExperimentData(users: 500, shares: ["a": 0.2, "b": 0.24])
      let comparison = try #require(try ExperimentAnalysis(of: data, settings).metrics[0].rows[1].comparison)
      let posterior = try PosteriorEffect(of: comparison.difference, prior: settings.prior)
      #expect(comparison.chanceToWin == posterior.chanceToWin(improvement))
      let loss = posterior.expectedLoss(improvement)
      #expect(comparison.expectedLoss == (scale == .relative ? loss / 0.2 : loss))
      #expect(comparison.chanceToWin != (try PosteriorEffect(of: comparison.difference).chanceToWin(improvement)))
    }
  }

  @Test("A metric without an answer says why, and the others have theirs")
  func hasNoAnswer() throws {
    var settings = AnalysisSettings()
    settings.metrics = [Metric("absent"), Metric("purchase")]
    let data = try ExperimentData(users: 50, shares: ["a": 0.2, "b": 0.4])
    let analysis = try ExperimentAnalysis(of: data, settings)
    #expect(analysis.metrics[0].rows.map(\.failure?.code) == [nil, .tooFewConversions])
    #expect(analysis.metrics[1].rows[1].comparison != nil)
    settings.leastConversions = 0
    #expect(try ExperimentAnalysis(of: data, settings).metrics[0].rows[1].failure?.code == .noVariance)
  }

  @Test(
    "With fewer conversions of both variants than stated a metric has no verdict, and says how many it lacks",
    arguments: [(0.1, 0.1, 10, 0), (0.1, 0.1, 11, 1), (0.0, 0.1, 20, 15), (0.02, 0.02, 20, 18)])
  func needsConversions(a: Double, b: Double, least: Int, lacking: Int) throws {
    var settings = AnalysisSettings()
    settings.leastConversions = least
    settings.metrics = [Metric("purchase"), Metric("purchase", .count), Metric("purchase", .sum)]
    let analysis = try ExperimentAnalysis(of: ExperimentData(users: 50, shares: ["a": a, "b": b]), settings)
    for result in analysis.metrics {
      let row = result.rows[1]
      #expect(row.lackingConversions == lacking && (row.comparison == nil) == (lacking > 0))
      #expect(row.failure?.code == (lacking > 0 ? .tooFewConversions : nil))
    }
  }

  @Test("A user whose values are 0 has not converted for a sum, and the smaller of two groups must expect its half")
  func countsConversions() throws {
    var events: [TrackedEvent] = []
    for number in 0..<120 {
      let unit = "\(number)"
      events.append(.exposed(unit, number % 4 == 0 ? "a" : "b", at: 0))
      if number % 3 == 0 { events.append(.did("buy", unit, at: 1, value: number % 2 == 0 ? 5 : 0)) }
    }
    var settings = AnalysisSettings()
    settings.metrics = [Metric("buy"), Metric("buy", .sum)]
    let analysis = try ExperimentAnalysis(of: ExperimentData(events), settings)
    // A quarter of the users is in one group, which expects ten conversions of forty.
    #expect(analysis.metrics.map { $0.rows[1].lackingConversions } == [0, 20])
  }

  @Test("A verdict for one look is that of its p-value")
  func decidesAtOneLook() throws {
    let data = try ExperimentData(users: 2_000, shares: ["a": 0.1, "b": 0.13])
    var settings = AnalysisSettings()
    #expect(try ExperimentAnalysis(of: data, settings).metrics[0].rows[1].comparison?.verdict == .undecided)
    settings.looks = .one
    #expect(try ExperimentAnalysis(of: data, settings).metrics[0].rows[1].comparison?.verdict == .better)
    settings.metrics = [Metric("purchase", .share, .decrease, margin: 0.1)]
    let guardrail = try ExperimentAnalysis(of: data, settings).metrics[0].rows[1].comparison?.guardrail
    #expect(guardrail?.verdict == .violated)
  }

  @Test("An experiment with one variant, or without its control, is an error")
  func refuses() throws {
    let one = try ExperimentData(users: 5, shares: ["a": 1])
    #expect(throws: AnalysisError(#"expected exposures of users to two variants at least, found those to "a" alone"#)) {
      try ExperimentAnalysis(of: one, AnalysisSettings())
    }
    #expect(throws: AnalysisError("expected exposures of users to two variants at least, found none")) {
      try ExperimentAnalysis(of: ExperimentData([]), AnalysisSettings())
    }
    var settings = AnalysisSettings()
    settings.control = "c"
    #expect(throws: AnalysisError(#"no variant is named "c": there are "a", "b""#)) {
      try ExperimentAnalysis(of: ExperimentData(users: 5, shares: ["a": 1, "b": 1]), settings)
    }
  }
}
