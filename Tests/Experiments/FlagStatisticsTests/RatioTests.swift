import FlagStatistics
import TestSupport
import Testing

@Suite("Ratios of sums", .computing)
struct RatioTests {
  private static func ratio(_ group: JSON) throws -> RatioStatistics {
    var sums = PairedStatistics()
    for (numerator, denominator) in zip(try group["numerators"].elements, try group["denominators"].elements) {
      sums.add(outcome: try numerator.number, covariate: try denominator.number)
    }
    return RatioStatistics(sums)
  }

  @Test("Every figure is that of a test of the users' linearized values")
  func meetsVectors() throws {
    let vectors = try ReferenceVector.all(in: "experiments.jsonl").filter { $0.kind == "ratio" }
    #expect(vectors.count == 6)
    for vector in vectors {
      let (a, b) = (try Self.ratio(vector.input["a"]), try Self.ratio(vector.input["b"]))
      for (group, index) in [(a, 0), (b, 1)] {
        try vector.expect(group.mean, vector.output["means"].elements[index], "mean")
        try vector.expect(group.variance, vector.output["variances"].elements[index], "variance")
      }
      let difference = try MeanDifference(of: b, over: a)
      try vector.expect(difference.value, vector.output["estimate"], "estimate")
      try vector.expect(difference.pValue, vector.output["p"], "p")
      try vector.expect(difference.degreesOfFreedom, vector.output["dof"], "degrees of freedom")
      let (interval, ends) = try (#require(difference.confidenceInterval(on: .absolute)), vector.output["ci"].elements)
      try vector.expect(interval.lower, ends[0], "lower end")
      try vector.expect(interval.upper, ends[1], "upper end")
    }
  }

  @Test("An interval of two ratios holds the truth in about 95 % of experiments, though users differ in their numbers")
  func covers() throws {
    var generator = SeededGenerator(seed: 7)
    func group(_ lift: Double) -> RatioStatistics {
      var sums = PairedStatistics()
      for _ in 0..<300 {
        let orders = Int.random(in: 0...4, using: &generator)
        let taste = generator.normal(mean: 20, deviation: 6)
        sums.add(outcome: Double(orders) * taste * lift, covariate: Double(orders))
      }
      return RatioStatistics(sums)
    }
    let held = try Share(of: Effort.rounds(250, thorough: 1_000)) {
      let difference = try MeanDifference(of: group(1.1), over: group(1))
      return try #require(difference.confidenceInterval(on: .absolute)).contains(2)
    }
    #expect(held.agrees(with: 0.95), "\(held)")
  }

  @Test("A ratio that is the same for each user has no variance, and one over 0 is no number")
  func edges() {
    var (same, none) = (PairedStatistics(), PairedStatistics())
    for number in 1...10 {
      same.add(outcome: 0.3 * Double(number), covariate: Double(number))
      none.add(outcome: Double(number), covariate: 0)
    }
    #expect(RatioStatistics(same).variance == 0 && RatioStatistics(same).mean.isClose(to: 0.3))
    #expect(!RatioStatistics(none).mean.isFinite)
  }
}
