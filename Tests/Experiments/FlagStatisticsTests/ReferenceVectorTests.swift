import FlagStatistics
import Testing

@Suite("Reference figures")
struct ReferenceVectorTests {
  @Test("Every figure is met within its tolerance", arguments: Topic.allCases)
  func meets(topic: Topic) throws {
    let vectors = try ReferenceVector.all().filter { $0.kind == topic.rawValue }
    #expect(!vectors.isEmpty)
    for vector in vectors { try topic.check(vector) }
  }

  @Test("Every kind of figure has its check")
  func coversAll() throws {
    #expect(Set(try ReferenceVector.all().map(\.kind)) == Set(Topic.allCases.map(\.rawValue)))
  }
}

/// What a figure is about.
enum Topic: String, CaseIterable, Sendable {
  case normalTail = "normal.sf"
  case normalQuantile = "normal.quantile"
  case chiSquaredTail = "chi2.sf"
  case tTail = "t.sf"
  case tQuantile = "t.quantile"
  case sampleRatio = "srm"
  case sampleRatioWithoutUsers = "srm.empty"
  case sampleRatioWithoutWeight = "srm.zeroWeight"
  case twoProportions
  case welch
  case sequential
  case bayesian
  case negativeBaseline = "relative.negativeBaseline"
  case adjustment = "cuped"
  case requiredSample = "sampleSize"

  func check(_ vector: ReferenceVector) throws {
    switch self {
    case .normalTail, .normalQuantile, .chiSquaredTail, .tTail, .tQuantile: try checkDistribution(vector)
    case .sampleRatio, .sampleRatioWithoutUsers, .sampleRatioWithoutWeight: try checkSampleRatio(vector)
    case .twoProportions: try checkTwoProportions(vector)
    case .welch: try checkWelch(vector)
    case .sequential: try checkSequential(vector)
    case .bayesian: try checkBayesian(vector)
    case .negativeBaseline:
      try vector.expect(effect(vector.input, scale: .relative).value, vector.output["estimate"])
    case .adjustment: try checkAdjustment(vector)
    case .requiredSample: try checkRequiredSample(vector)
    }
  }

  private func checkDistribution(_ vector: ReferenceVector) throws {
    let input = vector.input
    func degreesOfFreedom() throws -> Double { try input["dof"].number }
    let answer =
      switch self {
      case .normalTail: NormalDistribution().upperTail(at: try input["x"].number)
      case .normalQuantile: NormalDistribution().quantile(lowerTail: try input["p"].number)
      case .chiSquaredTail:
        try ChiSquaredDistribution(degreesOfFreedom: degreesOfFreedom()).upperTail(at: input["x"].number)
      case .tTail: try StudentTDistribution(degreesOfFreedom: degreesOfFreedom()).upperTail(at: input["x"].number)
      default: try StudentTDistribution(degreesOfFreedom: degreesOfFreedom()).quantile(lowerTail: input["p"].number)
      }
    try vector.expect(answer, vector.output)
  }

  private func checkSampleRatio(_ vector: ReferenceVector) throws {
    let test = try SampleRatioTest(
      users: vector.input["users"].elements.map { try $0.integer },
      weights: vector.input["weights"].elements.map { try $0.number })
    try vector.expect(test.pValue, vector.output[self == .sampleRatioWithoutWeight ? "withoutTheCell" : "p"])
    guard self == .sampleRatio else { return }
    // Where the counts are the expected ones, what is left of the statistic is rounding.
    let statistic = try vector.output["chi2"].number
    #expect((test.chiSquared - statistic).magnitude <= vector.tolerance * max(1, statistic), "\(vector)")
    #expect(test.degreesOfFreedom == (try vector.output["dof"].integer), "\(vector)")
  }

  private func checkTwoProportions(_ vector: ReferenceVector) throws {
    let (control, treatment) = try (proportion(vector.input["a"]), proportion(vector.input["b"]))
    let test = try TwoProportionsTest(control: control, treatment: treatment)
    try vector.expect(test.difference, vector.output["difference"], "difference")
    try vector.expect(test.zStatistic, vector.output["z"], "z")
    try vector.expect(test.pValue, vector.output["p"], "p")
    try expect(test.confidenceInterval(method: .wald), vector.output["wald95"], vector)
    try expect(test.confidenceInterval(method: .newcombe), vector.output["newcombe95"], vector)
    try expect(test.confidenceInterval(method: .agrestiCaffo), vector.output["agrestiCaffo95"], vector)
    for (sample, expected) in zip([control, treatment], try vector.output["wilson95"].elements) {
      try expect(sample.wilsonInterval(), expected, vector)
    }
  }

  private func checkWelch(_ vector: ReferenceVector) throws {
    let effect = try effect(vector.input)
    try vector.expect(effect.value, vector.output["estimate"], "estimate")
    try vector.expect(effect.standardError, vector.output["standardError"], "standard error")
    try vector.expect(effect.degreesOfFreedom, vector.output["dof"], "degrees of freedom")
    try vector.expect(effect.tStatistic, vector.output["t"], "t")
    try vector.expect(effect.pValue, vector.output["p"], "p")
    try expect(effect.confidenceInterval(alpha: vector.input["alpha"].number), vector.output["ci"], vector)
  }

  private func checkSequential(_ vector: ReferenceVector) throws {
    let effect = try effect(vector.input)
    let test = try SequentialTest(alpha: vector.input["alpha"].number, tuning: vector.input["tuning"].number)
    try vector.expect(#require(test.rho), vector.output["rho"], "rho")
    try vector.expect(test.pValue(of: effect), vector.output["p"], "p")
    try expect(test.confidenceInterval(of: effect), vector.output["ci"], vector)
  }

  private func checkBayesian(_ vector: ReferenceVector) throws {
    let prior = try vector.input["prior"]
    guard case .bool(let isProper) = try prior["proper"] else {
      throw JSON.Mismatch(expected: "a boolean", found: prior)
    }
    let posterior = try PosteriorEffect(
      of: effect(vector.input),
      prior: isProper ? EffectPrior(mean: prior["mean"].number, variance: prior["variance"].number) : .flat)
    try vector.expect(posterior.chanceToWin(), vector.output["chanceToWin"], "chance to win")
    try vector.expect(posterior.distribution.mean, vector.output["estimate"], "estimate")
    try vector.expect(posterior.distribution.standardDeviation, vector.output["stddev"], "standard deviation")
    try expect(posterior.credibleInterval(alpha: vector.input["alpha"].number), vector.output["ci"], vector)
    let risk = try vector.output["risk"].elements
    try vector.expect(posterior.expectedLoss(choosing: .control), risk[0], "risk of control")
    try vector.expect(posterior.expectedLoss(choosing: .treatment), risk[1], "risk of treatment")
  }

  private func checkAdjustment(_ vector: ReferenceVector) throws {
    let adjustment = try CovariateAdjustment(control: paired(vector.input["a"]), treatment: paired(vector.input["b"]))
    let effect = try EffectEstimate(of: adjustment.treatment, over: adjustment.control)
    let alpha = try vector.input["alpha"].number
    try vector.expect(adjustment.theta, vector.output["theta"], "theta")
    try vector.expect(adjustment.varianceReduction, vector.output["varianceReduction"], "variance reduction")
    try vector.expect(effect.value, vector.output["estimate"], "estimate")
    try vector.expect(effect.standardError, vector.output["standardError"], "standard error")
    try vector.expect(effect.degreesOfFreedom, vector.output["dof"], "degrees of freedom")
    try vector.expect(effect.pValue, vector.output["p"], "p")
    try expect(effect.confidenceInterval(alpha: alpha), vector.output["ci"], vector)
    try expect(
      SequentialTest(alpha: alpha).confidenceInterval(of: effect), vector.output["sequentialCI"], vector)
    let relative = try EffectEstimate(of: adjustment.treatment, over: adjustment.control, scale: .relative)
    try vector.expect(relative.value, vector.output["relative"]["estimate"], "relative estimate")
    try vector.expect(relative.standardError, vector.output["relative"]["standardError"], "relative standard error")
  }

  private func checkRequiredSample(_ vector: ReferenceVector) throws {
    let sample = try RequiredSample(
      baseline: vector.input["baseline"].number, difference: vector.input["difference"].number,
      alpha: vector.input["alpha"].number, power: vector.input["power"].number, tuning: nil)
    try vector.expect(sample.exact, vector.output["exact"])
    #expect(sample.perGroup == (try vector.output["perGroup"].integer))
  }
}

extension Topic {
  private func expect(_ interval: ConfidenceInterval, _ expected: JSON, _ vector: ReferenceVector) throws {
    let ends = try expected.elements
    try vector.expect(interval.lower, ends[0], "lower end")
    try vector.expect(interval.upper, ends[1], "upper end")
  }

  private func proportion(_ group: JSON) throws -> ProportionStatistics {
    try ProportionStatistics(count: group["n"].integer, successes: group["sum"].integer)
  }

  private func sample(_ group: JSON) throws -> SampleStatistics {
    try SampleStatistics(
      count: group["n"].integer, sum: group["sum"].number, sumOfSquares: group["sumOfSquares"].number)
  }

  private func paired(_ group: JSON) throws -> PairedStatistics {
    try PairedStatistics(
      outcome: sample(group["post"]), covariate: sample(group["pre"]), sumOfProducts: group["sumOfProducts"].number)
  }

  /// The effect in a figure's input: of means where there are sums of squares, else of proportions.
  private func effect(_ input: JSON, scale: EffectEstimate.Scale? = nil) throws -> EffectEstimate {
    let scale = try scale ?? #require(EffectEstimate.Scale(rawValue: input["difference"].string))
    let (control, treatment) = try (input["a"], input["b"])
    return control.has("sumOfSquares")
      ? try EffectEstimate(of: sample(treatment), over: sample(control), scale: scale)
      : try EffectEstimate(of: proportion(treatment), over: proportion(control), scale: scale)
  }
}
