import FlagDomain
import FlagSupport

extension TextReport {
  /// The effects by segment: for each metric a table of segments and variants.
  static func segments(_ analysis: ExperimentAnalysis) -> [[String]] {
    guard let attribute = analysis.data.attribute else { return [] }
    return DetailRows.bySegment(analysis).map { detail in
      let p = detail.metric.margin == nil ? "\(analysis.pName(detail.metric))" : "p"
      return table(detail, "\(detail.metric.title.visible) by \(attribute.visible)", interval(analysis), p, false)
    }
  }

  /// The effects over time: for each metric a table of days and variants.
  static func days(_ analysis: ExperimentAnalysis) -> [[String]] {
    DetailRows.byDay(analysis).map { detail in
      table(
        detail, "\(detail.metric.title.visible) over time, all until the end of each day", "at any look", "p", true)
    }
  }

  private static func interval(_ analysis: ExperimentAnalysis) -> String {
    "\((1 - analysis.settings.alpha).roundPercent) interval"
  }

  private static func table(
    _ detail: DetailRows, _ title: String, _ interval: String, _ p: String, _ isSequential: Bool
  ) -> [String] {
    let header = ["", "", "users", "value", "effect", interval, p, ""]
    let rows = detail.rows.map { title, row in
      [title.cut(to: 12), row.variant.cut(to: 12)] + detail.cells(row, sequential: isSequential)
    }
    return [title] + TextTable([header] + rows, .right, indentedBy: 2).lines
  }
}
