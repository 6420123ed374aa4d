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
    let effect = try EffectEstimate(of: treatment, over: control, scale: .relative)
    let comparison = try #require(analysis.metrics[0].rows[1].comparison)
    #expect(comparison.effect == effect && comparison.interval == effect.confidenceInterval())
    #expect(comparison.sequentialPValue == SequentialTest().pValue(of: effect))
    #expect(comparison.chanceToWin == (try PosteriorEffect(of: effect).chanceToWin()))
    #expect(comparison.adjustedPValue == nil && comparison.verdict == .undecided)
    // Twice the value for each, and less is better.
    let sum = try #require(analysis.metrics[1].rows[1].comparison)
    #expect((sum.effect.value - effect.value).magnitude < 1e-12 && sum.chanceToWin < 0.01)
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
    let family = all { $0.pValue }.enumerated().map { [2, 3, 6, 7].contains($0) ? nil : $1 }
    #expect(all { $0.adjustedPValue } == MultipleTesting.holm.adjusted(family))
    #expect(family.compactMap { $0 }.count == 4)
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
        comparison.effect == (try EffectEstimate(of: adjusted.treatment, over: adjusted.control, scale: .relative)))
      let adjustment = try #require(comparison.adjustment)
      #expect(adjustment.theta == adjusted.theta && adjustment.varianceReduction == adjusted.varianceReduction)
      #expect(adjustment.varianceReduction > 0.2)
      let before = try #require(plain.metrics[index].rows[1].comparison)
      #expect(comparison.interval.width < 0.9 * before.interval.width && before.adjustment == nil)
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
    for (scale, improvement) in [(EffectEstimate.Scale.relative, Improvement.increase), (.absolute, .decrease)] {
      (settings.scale, settings.metrics) = (scale, [Metric("purchase", .share, improvement)])
      let data = try ExperimentData(users: 500, shares: ["a": 0.2, "b": 0.24])
      let comparison = try #require(try ExperimentAnalysis(of: data, settings).metrics[0].rows[1].comparison)
      let posterior = try PosteriorEffect(of: comparison.effect, prior: settings.prior)
      #expect(comparison.chanceToWin == posterior.chanceToWin(improvement))
      #expect(comparison.expectedLoss == posterior.expectedLoss(choosing: .treatment, improvement))
      #expect(comparison.chanceToWin != (try PosteriorEffect(of: comparison.effect).chanceToWin(improvement)))
    }
  }

  @Test("A metric without an answer says why, and the others have theirs")
  func hasNoAnswer() throws {
    var settings = AnalysisSettings()
    settings.metrics = [Metric("absent"), Metric("purchase")]
    let data = try ExperimentData(users: 50, shares: ["a": 0.2, "b": 0.4])
    let analysis = try ExperimentAnalysis(of: data, settings)
    #expect(analysis.metrics[0].rows.map(\.failure?.code) == [nil, .noVariance])
    #expect(analysis.metrics[1].rows[1].comparison != nil)
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
    #expect(throws: AnalysisError(#"no variant is called "c": there are "a", "b""#)) {
      try ExperimentAnalysis(of: ExperimentData(users: 5, shares: ["a": 1, "b": 1]), settings)
    }
  }
}
