package import FlagStatistics

/// The conversions of one name before the first exposure of a variant's users, each paired with the user's later ones.
package struct CovariateStatistics: Hashable, Sendable {
  /// The indicator of the conversion: 1 for each user with one, and 0 for any other.
  package var shares = PairedStatistics()
  /// The number of conversions of each user.
  package var counts = PairedStatistics()
  /// The sum of the values for each user.
  package var values = PairedStatistics()

  var users: Double { shares.covariate.sum }
}

extension ExperimentData.Variant {
  /// Returns a metric's statistics for the variant's users, paired with those before their exposure, if measured.
  func paired(of metric: Metric) throws(AnalysisError) -> PairedStatistics {
    guard let conversions = conversions[metric.name] else { return .zero(of: users) }
    guard let before = conversions.before else {
      throw AnalysisError(
        "expected what users of \(name.quoted) did before their first exposure under \(metric.name.quoted), found "
          + "nothing: --covariate is an option of the query, too")
    }
    return switch metric.kind {
    case .share: before.shares
    case .count: before.counts
    case .sum: before.values
    }
  }
}

extension PairedStatistics {
  /// Returns the statistics of users without conversions, before or since.
  fileprivate static func zero(of users: Int) -> Self {
    do throws(StatisticsError) {
      let none = try SampleStatistics(count: users, sum: 0, sumOfSquares: 0)
      return try PairedStatistics(outcome: none, covariate: none, sumOfProducts: 0)
    } catch {
      preconditionFailure("zeros are aggregates of any number of users: \(error)")
    }
  }
}
