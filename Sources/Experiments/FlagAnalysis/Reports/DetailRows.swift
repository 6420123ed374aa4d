import FlagDomain
import FlagStatistics
import FlagSupport

/// The rows of the tables of effects by segment and by day.
struct DetailRows {
  let metric: Metric
  /// The first cell of each row (a segment, or a day), with the results of a variant.
  let rows: [(title: String, row: ExperimentAnalysis.Row)]

  /// The maximum number of days in a table; of more days, some at equal distances are shown.
  private static let maximumDays = 12

  /// Returns the rows of each metric, by segment.
  static func bySegment(_ analysis: ExperimentAnalysis) -> [DetailRows] {
    rows(analysis.metrics.map(\.metric), analysis.segments.map { ($0.name, $0.metrics) })
  }

  /// Returns the rows of each metric, by day, without those of control.
  static func byDay(_ analysis: ExperimentAnalysis) -> [DetailRows] {
    let days = analysis.days
    let step = max(1, (days.count + maximumDays - 1) / maximumDays)
    // The last day is always shown.
    let shown = days.indices.filter { (days.count - 1 - $0).isMultiple(of: step) }
    let rows = rows(
      days.last?.metrics.map(\.metric) ?? [],
      shown.map { ("\(CalendarDay(daysSince1970: Int64(days[$0].day)))", days[$0].metrics) })
    return rows.map { detail in
      DetailRows(metric: detail.metric, rows: detail.rows.filter { $0.row.variant != analysis.control })
    }
  }

  private static func rows(
    _ metrics: [Metric], _ groups: [(title: String, metrics: [ExperimentAnalysis.MetricResult])]
  ) -> [DetailRows] {
    metrics.map { metric in
      DetailRows(
        metric: metric,
        rows: groups.flatMap { group in
          (group.metrics.first { $0.metric == metric }?.rows ?? []).map { (group.title, $0) }
        })
    }
  }

  /// Returns the cells of a row after its titles: users, value, effect, interval, p-value and verdict.
  func cells(_ row: ExperimentAnalysis.Row) -> [String] {
    let cells = [row.users.grouped, metric.text(row.mean)]
    guard let comparison = row.comparison else {
      return cells + ["", row.failure.map { $0.code == .tooFewConversions ? "no verdict" : "no answer" } ?? "", "", ""]
    }
    return cells + comparison.cells(metric) + [comparison.guardrail?.verdict.rawValue ?? comparison.verdict.rawValue]
  }
}
