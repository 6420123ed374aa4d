/// The questions of a join of exposures and conversions.
package struct JoinPlan: Hashable, Sendable {
  /// The flag; nil for the only one in the events.
  package var flag: String?
  /// The attribute whose values count, if exposures of the flag name several; nil for the only one.
  package var unit: String?
  /// The names of the conversions that count; nil for all.
  package var names: Set<String>?
  /// The time after a unit's first exposure in which conversions count; nil for no limit.
  package var window: ConversionWindow?
  /// Whether conversions before the first exposure are measured, as a covariate.
  package var measuresBefore = false
  package var ratios: [Ratio] = []
  /// The attribute of the first exposure by which users are broken down; nil for no breakdown.
  package var attribute: String?
  /// Whether the data is also measured as it was by the end of each day.
  package var measuresDays = false
  /// The quantile at which the sums of users' values are capped; nil for no cap.
  package var cap: CapQuantile?

  package init() {}
}
