import FlagAnalysis
import FlagDomain
import FlagStatistics

extension OptionValue<Metric> {
  static func metric(_ name: String = "METRIC", isGuardrail: Bool = false) -> Self {
    .parsed(name) { (text) throws(AnalysisError) in try Metric(text, isGuardrail: isGuardrail) }
  }
}

extension OptionValue<MultipleTesting?> {
  static var correction: Self {
    .choice([("holm", .holm), ("benjamini-hochberg", .benjaminiHochberg), ("none", nil)])
  }
}

extension OptionValue<[String: Double]> {
  static var weights: Self {
    Self("V=N,...", "is a list such as a=1,b=2") { text in
      var weights: [String: Double] = [:]
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        guard let sign = part.lastIndex(of: "="), sign > part.startIndex,
          let weight = Double(part[part.index(after: sign)...]), weight.isFinite, weight >= 0
        else { return nil }
        weights[String(part[..<sign])] = weight
      }
      return weights
    }
  }
}

extension OptionValue<EffectPrior> {
  static var prior: Self {
    Self(.text("MEAN,VARIANCE")) { (option, text) throws(UsageError) in
      let expected = "\(option) is a mean, and a variance above 0, such as 0,0.09, found \(text.excerpt)"
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
      guard numbers.count == 2, let mean = numbers[0], let variance = numbers[1] else { throw UsageError(expected) }
      return try mapError(try EffectPrior(mean: mean, variance: variance)) { (_: any Error) in UsageError(expected) }
    }
  }
}
