import FlagStatistics

extension HTMLReport {
  /// The effects by segment: for each metric a table, and a chart of all intervals.
  static func segments(_ analysis: ExperimentAnalysis) -> String {
    guard let attribute = analysis.data.attribute else { return "" }
    return DetailRows.bySegment(analysis).map { detail in
      let rows = detail.rows.compactMap { title, row in
        row.comparison.map { (name: "\(title): \(row.variant)", comparison: $0) }
      }
      let heading = "\(detail.metric.sectionTitle) by \(attribute)"
      let chart = IntervalChart(heading, detail.metric, rows).map(\.svg) ?? ""
      return table(heading, analysis.summary(detail.metric), detail, analysis, "segment") + chart
    }.joined(separator: "\n")
  }

  /// The effects over time: for each metric a chart and a table.
  static func days(_ analysis: ExperimentAnalysis) -> String {
    DetailRows.byDay(analysis).map { detail in
      let chart = DayChart(effectsOn: detail.metric, of: analysis).map { "\($0.svg)\n" } ?? ""
      return table(
        "\(detail.metric.sectionTitle) over time", "all until the end of each day", detail, analysis, "day",
        after: chart)
    }.joined(separator: "\n")
  }

  private static func table(
    _ title: String, _ summary: String, _ detail: DetailRows, _ analysis: ExperimentAnalysis, _ first: String,
    after chart: String = ""
  ) -> String {
    let p = analysis.pName(detail.metric)
    let interval = analysis.intervalName(detail.metric)
    let header = [first, "variant", "users", "value", "effect", interval, p, "conclusion"]
    let rows = detail.rows.map { title, row in
      HTMLReport.row(([title, row.variant] + detail.cells(row)).map(\.escaped))
    }
    return "<h2>\(title.escaped) <small>\(summary.escaped)</small></h2>\n\(chart)\(HTMLReport.table(header, rows))\n"
  }
}
