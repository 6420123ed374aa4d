package import FlagStatistics

/// The settings of an analysis, all of which should be decided before the first look.
package struct AnalysisSettings: Hashable, Sendable {
  /// The metrics, including guardrails; if empty, the share of users for the name of each conversion.
  package var metrics: [Metric] = []
  /// The variant that others are compared with; nil for the one with the name control, or else the first by name.
  package var control: String?
  /// The planned share of each variant, in any unit; empty for equal shares.
  package var weights: [String: Double] = [:]
  /// Whether the weights are those of a split that not all users reach.
  package var isSplitPartial = false
  /// One minus the level of intervals, and the probability of a false finding.
  package var alpha = 0.05
  /// The looks at which verdicts hold.
  package var looks = Looks.any
  /// The least number of conversions, of a variant and control together, for a verdict about a metric.
  ///
  /// Half of it is expected in each of two equal groups: ten, twice what W. G. Cochran asked for a chi-squared test
  /// (Some Methods for Strengthening the Common Chi-squared Tests, Biometrics 10, 1954). Of unequal groups the smaller
  /// one must expect as many.
  package var leastConversions = 20
  /// The number of users at which sequential intervals are narrowest.
  package var tuning = 5_000.0
  package var scale = MeanDifference.Scale.relative
  /// The prior belief about relative effects, the same for each metric.
  package var prior = EffectPrior.flat
  /// The metrics that are adjusted by their own value before the first exposure (CUPED), by name and kind.
  package var covariates: [Metric] = []
  package var correction: MultipleTesting? = .holm
  /// The largest accepted share of users of several variants, and of lost events.
  package var tolerance = 0.01

  package init() {}

  /// The looks at which verdicts hold.
  package enum Looks: Sendable, CaseIterable {
    /// Any number of looks, by the sequential test.
    case any
    /// One look, whose time was decided before the first one.
    case one
  }

  /// Returns how many conversions a comparison lacks for a verdict.
  func lackingConversions(_ found: Int, users: (control: Int, treatment: Int)) -> Int {
    let (control, treatment) = (Double(users.control), Double(users.treatment))
    let ratio = (control + treatment) / min(control, treatment)
    let needed = Int(exactly: (Double(leastConversions) / 2 * ratio).rounded(.up))
    return max(0, (needed ?? leastConversions) - found)
  }

  func isAdjusted(_ metric: Metric) -> Bool {
    metric.per == nil && covariates.contains { $0.name == metric.name && $0.kind == metric.kind }
  }
}
