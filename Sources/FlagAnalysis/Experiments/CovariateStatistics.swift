package import FlagStatistics

/// What the users of a variant did under one name before their first exposure, together with what each did since.
package struct CovariateStatistics: Hashable, Sendable {
  /// 1 for each user who did it, and 0 for any other one.
  package var shares = PairedStatistics()
  /// How often each user did it.
  package var counts = PairedStatistics()
  /// The sum of the values for each user.
  package var values = PairedStatistics()

  var users: Double { shares.covariate.sum }
}

extension ExperimentData.Variant {
  /// Returns what a metric is of the variant's users, with what it was before their first exposure, if it was measured.
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
  /// The statistics of users who did nothing, before or since.
  fileprivate static func zero(of users: Int) -> Self {
    do throws(StatisticsError) {
      let none = try SampleStatistics(count: users, sum: 0, sumOfSquares: 0)
      return try PairedStatistics(outcome: none, covariate: none, sumOfProducts: 0)
    } catch {
      preconditionFailure("zeros are aggregates of any number of users: \(error)")
    }
  }
}
