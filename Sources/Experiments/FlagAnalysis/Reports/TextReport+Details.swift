import FlagDomain
import FlagSupport

extension TextReport {
  /// The effects by segment: for each metric a table of segments and variants.
  static func segments(_ analysis: ExperimentAnalysis) -> [[String]] {
    guard let attribute = analysis.data.attribute else { return [] }
    return DetailRows.bySegment(analysis).map { detail in
      table(detail, "\(detail.metric.sectionTitle.visible) by \(attribute.visible)", analysis)
    }
  }

  /// The effects over time: for each metric a table of days and variants.
  static func days(_ analysis: ExperimentAnalysis) -> [[String]] {
    DetailRows.byDay(analysis).map { detail in
      table(detail, "\(detail.metric.sectionTitle.visible) over time, all until the end of each day", analysis)
    }
  }

  private static func table(_ detail: DetailRows, _ title: String, _ analysis: ExperimentAnalysis) -> [String] {
    let interval = analysis.intervalName(detail.metric)
    let header = ["", "", "users", "value", "effect", interval, analysis.pName(detail.metric), ""]
    let rows = detail.rows.map { title, row in
      [title.cut(to: 12), row.variant.cut(to: 12)] + detail.cells(row)
    }
    return [title] + TextTable([header] + rows, .right, indentedBy: 2).lines
  }
}
