import FlagStatistics

/// A number for each user, computed from the conversions of one name.
package struct Measure: Hashable, Sendable {
  package let name: String
  package let kind: Metric.Kind

  package init(_ name: String, _ kind: Metric.Kind) { (self.name, self.kind) = (name, kind) }
}

/// A ratio of the sums of two numbers over all users of a variant.
package struct Ratio: Hashable, Sendable {
  package let numerator: Measure
  package let denominator: Measure
}

extension Measure: CustomStringConvertible {
  package var description: String { "\(name):\(kind.rawValue)" }
}

extension Ratio: CustomStringConvertible {
  package var description: String { "\(numerator):per:\(denominator)" }
}

extension ConversionStatistics {
  /// Returns a number's statistics over all users of the variant.
  func sample(_ kind: Metric.Kind, of total: Int) throws(StatisticsError) -> SampleStatistics {
    switch kind {
    case .share: try SampleStatistics(count: total, sum: Double(users), sumOfSquares: Double(users))
    case .count: counts
    case .sum: values
    }
  }
}

extension ExperimentData.Variant {
  /// Returns the statistics of a ratio.
  ///
  /// - Throws: An error if no user has the denominator.
  func sample(of ratio: Ratio) throws(StatisticsError) -> RatioStatistics {
    guard let sums = ratios[ratio], sums.covariate.sum != 0 else {
      throw StatisticsError(.notFinite, name, "no user has \(ratio.denominator.name), and nothing is divided by 0")
    }
    return RatioStatistics(sums)
  }
}
