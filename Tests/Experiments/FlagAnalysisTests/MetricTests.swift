import FlagAnalysis
import FlagStatistics
import Testing

@Suite("Words of windows")
struct ConversionWindowTests {
  @Test(
    "A window is a whole number and a unit, and is shown in the longest one",
    arguments: [
      ("7d", 604_800, "7d"), ("36h", 129_600, "36h"), ("48h", 172_800, "2d"), ("90m", 5400, "90m"), ("1s", 1, "1s"),
    ])
  func reads(text: String, seconds: Int, description: String) throws {
    let window = try ConversionWindow(text)
    #expect(window.seconds == seconds && window.description == description)
  }

  @Test(
    "Any other text is an error",
    arguments: ["", "7", "d", "-1d", "0s", "1.5d", "7 d", "1w", "36501d", "9223372036854775807d", "213503982334602d"])
  func refuses(text: String) {
    #expect(throws: AnalysisError.self) { try ConversionWindow(text) }
  }
}

@Suite("Words of metrics")
struct MetricTests {
  @Test(
    "A metric is a name, and maybe how it is counted and which way is better",
    arguments: [
      ("purchase", Metric("purchase")), ("purchase:sum", Metric("purchase", .sum)),
      ("crash:down", Metric("crash", .share, .decrease)), ("crash:down:count", Metric("crash", .count, .decrease)),
      ("a:b", Metric("a:b")), ("a:b:up", Metric("a:b")), ("sum", Metric("sum")), ("a:sum:b", Metric("a:sum:b")),
    ])
  func reads(text: String, metric: Metric) throws {
    #expect(try Metric(text, isGuardrail: false) == metric)
  }

  @Test(
    "A guardrail has a margin as a number or a percentage",
    arguments: [("2%", 0.02), ("0.5", 0.5), ("0", 0), ("10 %", 0.1)])
  func readsGuardrails(margin: String, number: Double) throws {
    #expect(
      try Metric("crash:down=\(margin)", isGuardrail: true) == Metric("crash", .share, .decrease, margin: number))
  }

  @Test(
    "One number per another one is a ratio",
    arguments: [
      ("purchase:sum:per:order:count", Measure("purchase", .sum), Measure("order", .count), Improvement.increase),
      ("error:count:per:visit:down", Measure("error", .count), Measure("visit", .share), .decrease),
    ])
  func readsRatios(text: String, numerator: Measure, denominator: Measure, improvement: Improvement) throws {
    let metric = try Metric(text, isGuardrail: false)
    #expect(metric.measure == numerator && metric.per == denominator && metric.improvement == improvement)
    #expect(throws: AnalysisError.self) { try Metric("a:per:", isGuardrail: false) }
    #expect(try Metric(text + "=2%", isGuardrail: true).margin == 0.02)
  }

  @Test(
    "What is none is an error", arguments: ["", "crash", "crash=", "crash=x", "crash=-1", "=1", ":sum=1", "crash=inf"])
  func refuses(text: String) {
    #expect(throws: AnalysisError.self) { try Metric(text, isGuardrail: true) }
  }
}
