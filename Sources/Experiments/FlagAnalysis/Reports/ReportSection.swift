import FlagDomain
import FlagStatistics
import FlagSupport

/// A section of a report, which each form lays out: the results of a metric, of all users or by segment or day.
struct ReportSection {
  enum Kind { case whole, segments, days }

  let kind: Kind
  let metric: Metric
  let title: String
  let summary: String
  /// The results of variants, after their titles: the variant, and before it the segment or the day.
  let rows: [(titles: [String], row: ExperimentAnalysis.Row)]
  /// The names of the columns of ``cells(_:)``.
  let columns: [String]

  /// The names of the columns of titles.
  var titles: [String] {
    switch kind {
    case .whole: ["variant"]
    case .segments: ["segment", "variant"]
    case .days: ["day", "variant"]
    }
  }

  /// Returns the cells of a row after its titles: users, value, effect, interval and p-value.
  func cells(_ row: ExperimentAnalysis.Row) -> [String] {
    let cells = [row.users.grouped, metric.text(row.mean)]
    if let comparison = row.comparison { return cells + comparison.cells(metric) }
    let isLacking = row.failure?.code == .tooFewConversions
    return cells + ["", kind == .whole || row.failure == nil ? "" : isLacking ? "no verdict" : "no answer", ""]
  }

  /// The comparisons with their names for a chart.
  var comparisons: [(name: String, comparison: Comparison)] {
    rows.compactMap { titles, row in row.comparison.map { (titles.joined(separator: ": "), $0) } }
  }
}

extension ExperimentAnalysis {
  /// The maximum number of days in a table; of more days, some at equal distances are shown, and the last one.
  private static let maximumDays = 12

  /// The results of each metric, then those by segment, and those by day.
  var sections: [ReportSection] {
    let whole = metrics.map { result in
      let title = "\(result.metric.margin == nil ? "" : "Guardrail ")\(result.metric.title)"
      return section(.whole, result.metric, title, summary(result.metric), result.rows.map { ([$0.variant], $0) })
    }
    return whole + segmentSections + daySections
  }

  private var segmentSections: [ReportSection] {
    guard let attribute = data.attribute else { return [] }
    let groups = segments.map { ($0.name, $0.metrics) }
    return metrics.map(\.metric).map { metric in
      section(
        .segments, metric, "\(metric.sectionTitle) by \(attribute)", summary(metric), Self.rows(of: metric, in: groups))
    }
  }

  /// The effects by day, without rows of control.
  private var daySections: [ReportSection] {
    let step = max(1, (days.count + Self.maximumDays - 1) / Self.maximumDays)
    let shown = days.indices.filter { (days.count - 1 - $0).isMultiple(of: step) }
    let groups = shown.map { ("\(CalendarDay(daysSince1970: Int64(days[$0].day)))", days[$0].metrics) }
    return (days.last?.metrics ?? []).map(\.metric).map { metric in
      section(
        .days, metric, "\(metric.sectionTitle) over time", "all until the end of each day",
        Self.rows(of: metric, in: groups).filter { $0.row.variant != control })
    }
  }

  private func section(
    _ kind: ReportSection.Kind, _ metric: Metric, _ title: String, _ summary: String,
    _ rows: [(titles: [String], row: Row)]
  ) -> ReportSection {
    ReportSection(
      kind: kind, metric: metric, title: title, summary: summary, rows: rows,
      columns: ["users", "value", "effect", intervalName(metric), pName(metric)])
  }

  private static func rows(
    of metric: Metric, in groups: [(title: String, metrics: [MetricResult])]
  ) -> [(titles: [String], row: Row)] {
    groups.flatMap { group in
      (group.metrics.first { $0.metric == metric }?.rows ?? []).map { ([group.title, $0.variant], $0) }
    }
  }
}

extension Comparison {
  /// The word for what was found.
  var outcome: String { guardrail?.verdict.rawValue ?? verdict.rawValue }
}
