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
  case relative
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
    case .relative, .negativeBaseline: try checkRelative(difference(vector.input), vector.output, vector)
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
      default: try StudentTDistribution(degreesOfFreedom: degreesOfFreedom()).quantile(upperTail: 1 - input["p"].number)
      }
    try vector.expect(answer, vector.output)
  }

  private func checkSampleRatio(_ vector: ReferenceVector) throws {
    let test = try SampleRatioTest(
      users: vector.input["users"].elements.map { try $0.integer },
      weights: vector.input["weights"].elements.map { try $0.number })
    guard self != .sampleRatioWithoutWeight else {
      let p = ChiSquaredDistribution(degreesOfFreedom: Double(test.degreesOfFreedom)).upperTail(at: test.chiSquared)
      return try vector.expect(test.unexpected.isEmpty ? test.pValue : p, vector.output["withoutTheCell"])
    }
    try vector.expect(test.pValue, vector.output["p"])
    guard self == .sampleRatio else { return }
    // Where the counts are the expected ones, what is left of the statistic is rounding.
    let statistic = try vector.output["chi2"].number
    #expect((test.chiSquared - statistic).magnitude <= vector.tolerance * max(1, statistic), "\(vector)")
    #expect(test.degreesOfFreedom == (try vector.output["dof"].integer), "\(vector)")
  }

  private func checkTwoProportions(_ vector: ReferenceVector) throws {
    let (control, treatment) = try (proportion(vector.input["a"]), proportion(vector.input["b"]))
    let difference = try MeanDifference(of: treatment, over: control)
    try vector.expect(difference.value, vector.output["difference"], "difference")
    try vector.expect(difference.statistic, vector.output["z"], "z")
    try vector.expect(difference.pValue, vector.output["p"], "p")
    try expect(difference.confidenceInterval(on: .absolute), vector.output["score95"], vector)
    let relative = try #require(difference.confidenceInterval(on: .relative))
    let ratio = ConfidenceInterval(lower: 1 + relative.lower, upper: 1 + relative.upper)
    try expect(ratio, vector.output["scoreRatio95"], vector)
  }

  private func checkWelch(_ vector: ReferenceVector) throws {
    let difference = try difference(vector.input)
    try vector.expect(difference.statistic, vector.output["t"], "t")
    try checkTest(difference, vector)
  }

  /// Checks what Welch's test gives of a difference.
  private func checkTest(_ difference: MeanDifference, _ vector: ReferenceVector) throws {
    try vector.expect(difference.value, vector.output["estimate"], "estimate")
    try vector.expect(difference.standardError, vector.output["standardError"], "standard error")
    try vector.expect(difference.degreesOfFreedom, vector.output["dof"], "degrees of freedom")
    try vector.expect(difference.pValue, vector.output["p"], "p")
    let alpha = try vector.input["alpha"].number
    try expect(difference.confidenceInterval(on: .absolute, alpha: alpha), vector.output["ci"], vector)
  }

  private func checkSequential(_ vector: ReferenceVector) throws {
    let difference = try difference(vector.input)
    let test = try SequentialTest(alpha: vector.input["alpha"].number, tuning: vector.input["tuning"].number)
    try vector.expect(#require(test.rho), vector.output["rho"], "rho")
    try vector.expect(difference.value, vector.output["estimate"], "estimate")
    try vector.expect(difference.standardError, vector.output["standardError"], "standard error")
    try vector.expect(test.pValue(of: difference), vector.output["p"], "p")
    try expect(test.confidenceInterval(of: difference, on: .absolute), vector.output["ci"], vector)
  }

  /// Checks a relative effect, and its standard error by the delta method: that of the contrast at the estimate.
  private func checkRelative(_ difference: MeanDifference, _ expected: JSON, _ vector: ReferenceVector) throws {
    let estimate = difference.effect(on: .relative)
    try vector.expect(estimate, expected["estimate"], "relative estimate")
    guard expected.has("standardError") else { return }
    // The squared error of a contrast is a polynomial of degree 2, which three contrasts tell.
    func squaredError(_ effect: Double) -> Double {
      let error = (estimate - effect) / difference.statistic(against: effect, on: .relative)
      return error * error
    }
    let (below, middle, above) = (squaredError(-1), squaredError(0), squaredError(1))
    let square = middle + estimate * ((above - below) / 2 + estimate * ((above + below) / 2 - middle))
    try vector.expect(square.squareRoot(), expected["standardError"], "relative standard error")
  }

  private func checkBayesian(_ vector: ReferenceVector) throws {
    let prior = try vector.input["prior"]
    guard case .bool(let isProper) = try prior["proper"] else {
      throw JSON.Mismatch(expected: "a boolean", found: prior)
    }
    let posterior = try PosteriorEffect(
      of: difference(vector.input),
      prior: isProper ? EffectPrior(mean: prior["mean"].number, variance: prior["variance"].number) : .flat)
    try vector.expect(posterior.chanceToWin(), vector.output["chanceToWin"], "chance to win")
    try vector.expect(posterior.distribution.mean, vector.output["estimate"], "estimate")
    try vector.expect(posterior.distribution.standardDeviation, vector.output["stddev"], "standard deviation")
    let risk = try vector.output["risk"].elements
    // To choose the control is to lose what the treatment gains.
    try vector.expect(posterior.expectedLoss(.decrease), risk[0], "risk of control")
    try vector.expect(posterior.expectedLoss(), risk[1], "risk of treatment")
  }

  private func checkAdjustment(_ vector: ReferenceVector) throws {
    let adjustment = try CovariateAdjustment(control: paired(vector.input["a"]), treatment: paired(vector.input["b"]))
    let difference = try MeanDifference(of: adjustment.treatment, over: adjustment.control)
    try vector.expect(adjustment.theta, vector.output["theta"], "theta")
    try vector.expect(adjustment.varianceReduction, vector.output["varianceReduction"], "variance reduction")
    try checkTest(difference, vector)
    let test = try SequentialTest(alpha: vector.input["alpha"].number)
    try expect(test.confidenceInterval(of: difference, on: .absolute), vector.output["sequentialCI"], vector)
    try checkRelative(difference, vector.output["relative"], vector)
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
  private func expect(_ interval: ConfidenceInterval?, _ expected: JSON, _ vector: ReferenceVector) throws {
    let (interval, ends) = (try #require(interval), try expected.elements)
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

  /// The difference in a figure's input: without sums of squares, of means whose variance is that of a share.
  private func difference(_ input: JSON) throws -> MeanDifference {
    let groups = try ["a", "b"].map { name in
      let group = try input[name]
      guard !group.has("sumOfSquares") else { return try sample(group) }
      let share = try proportion(group)
      return try SampleStatistics(count: share.count, mean: share.mean, variance: share.variance)
    }
    return try MeanDifference(of: groups[1], over: groups[0])
  }
}
