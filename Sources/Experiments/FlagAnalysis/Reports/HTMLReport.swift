import FlagDomain
import FlagStatistics
import FlagSupport

/// An analysis as one HTML page without scripts, whose charts can be printed.
package struct HTMLReport {
  private let analysis: ExperimentAnalysis

  package init(_ analysis: ExperimentAnalysis) { self.analysis = analysis }

  package var text: String {
    let title = "Experiment \(analysis.data.flag ?? "")"
    let users = analysis.data.users.groupedUsers
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title.escaped)</title>
      <style>\(Self.style)</style>
      </head>
      <body>
      <h1>\(title.escaped)</h1>
      <p>\(users)\(analysis.period.map { ", \($0)" } ?? ""), compared with <b>\(analysis.control.escaped)</b></p>
      \(health)
      \(analysis.sections.map(section).joined(separator: "\n"))
      \(usersOverTime)
      \(remarks)
      </body>
      </html>

      """
  }

  private static let style = """
    body{font:15px/1.45 system-ui,sans-serif;color:#1c2024;max-width:860px;margin:2em auto;padding:0 1em}
    h1{font-size:1.5em}h2{font-size:1.15em;margin:2em 0 .3em}
    h3{font-size:1em;margin:1.2em 0 .3em}h2 small{font-weight:normal;color:#60646c}
    table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
    th,td{text-align:right;padding:.3em .6em;border-bottom:1px solid #e0e1e6}
    th{font-weight:600;color:#60646c}th:first-child,td:first-child{text-align:left}
    svg{display:block;width:100%;height:auto;margin:.6em 0}svg text{font:12px system-ui,sans-serif;fill:#1c2024}
    .alarm{background:#ce2c31;color:#fff;padding:.8em 1em;border-radius:6px;font-weight:600}
    .better{color:#18794e;font-weight:600}.worse,.violated{color:#ce2c31;font-weight:600}.held{color:#18794e}
    ul{color:#60646c;padding-left:1.2em}
    """

  private var health: String {
    let health = analysis.health
    let summary = "<p\(health.isSound ? "" : " class=\"alarm\"")>Health: \(health.summary).</p>"
    return (["<h2>Health</h2>", summary, ratio] + health.checks.map(check)).joined(separator: "\n")
  }

  private var ratio: String {
    let (p, isMismatch) = (analysis.ratio.pValue.equation, analysis.ratio.isMismatch)
    let rows = analysis.shares.map { share in
      let width = analysis.part(of: share) * 100
      let bar = """
        <svg viewBox="0 0 100 6" preserveAspectRatio="none" style="height:10px" role="img" aria-label="share of users">\
        <rect width="100" height="6" fill="#e8e8ec"/><rect width="\(width.fixed(2))" height="6" fill="#3e63dd"/>\
        <rect x="\((share.planned * 100 - 0.2).fixed(2))" width="0.4" height="6" fill="#1c2024"/></svg>
        """
      return HTMLReport.row(
        [
          share.variant.escaped, share.users.grouped, analysis.part(of: share).share(), share.planned.share(), bar,
        ])
    }
    let header = ["variant", "users", "share", "planned", "<span style=\"display:inline-block;width:16em\"></span>"]
    let result = "\(isMismatch ? "not " : "")as planned (\(p))"
    return "\(HTMLReport.heading("Sample ratio", result, isFailed: isMismatch))\n\(HTMLReport.table(header, rows))"
  }

  private func check(_ check: HealthPanel.Check) -> String {
    let rows = check.parts.map { part in
      HTMLReport.row([
        part.variant.escaped, part.count.grouped, part.total.grouped, part.share.share(),
      ])
    }
    let heading = HTMLReport.heading(check.title, check.result, isFailed: check.isFailed)
    return heading + (rows.isEmpty ? "" : "\n\(HTMLReport.table(["variant", "users", "of", "share"], rows))")
  }

  private static func heading(_ title: String, _ result: String, isFailed: Bool) -> String {
    let mark = isFailed ? "<span class=\"violated\">failed</span>" : "<span class=\"held\">ok</span>"
    return "<h3>\(title.escaped): \(mark), \(result.escaped)</h3>"
  }

  private func section(_ section: ReportSection) -> String {
    let metric = section.metric
    let result = analysis.metrics.first { section.kind == .whole && $0.metric == metric }
    let header =
      section.titles + section.columns + ["conclusion"] + (section.kind == .whole ? ["at one planned look"] : [])
    let rows = section.rows.map { titles, row in
      HTMLReport.row(
        (titles + section.cells(row)).map(\.escaped)
          + (section.kind == .whole ? conclusion(row, metric) : [row.comparison?.outcome ?? ""]))
    }
    let chart =
      section.kind == .days
      ? DayChart(effectsOn: metric, of: analysis)?.svg
      : IntervalChart(section.title, metric, section.comparisons)?.svg
    let adjustments = result.map { analysis.adjustments(of: $0) } ?? []
    let advice = result.flatMap { analysis.advice(on: $0) }.map { "<p><b>Next:</b> \($0.escaped)</p>" }
    let heading = "<h2>\(section.title.escaped) <small>\(section.summary.escaped)</small></h2>"
    let parts: [String?] =
      [heading, HTMLReport.table(header, rows)] + adjustments.map { "<p>\($0.escaped)</p>" } + [chart, advice]
    return parts.compactMap(\.self).joined(separator: "\n")
  }

  private func conclusion(_ row: ExperimentAnalysis.Row, _ metric: Metric) -> [String] {
    guard let comparison = row.comparison else { return [(row.absence ?? "control").escaped, ""] }
    return [
      "<span class=\"\(comparison.outcome)\">\(comparison.conclusion(metric).escaped)</span>",
      (comparison.oneLookText(metric) ?? "").escaped,
    ]
  }

  private var usersOverTime: String {
    guard let chart = DayChart(usersOf: analysis.data.variants) else { return "" }
    return "<h2>Users over time</h2>\n\(chart.svg)"
  }

  private var remarks: String {
    let legend = "dots are effects, lines the intervals that decide; with an arrow they go on, as bands at an edge do"
    let lines = analysis.remarks + (analysis.hasComparisons ? [legend, analysis.validity] : [])
    return "<h2>Remarks</h2>\n<ul>\n\(lines.map { "<li>\($0.escaped)</li>\n" }.joined())</ul>"
  }

  static func row(_ cells: [String]) -> String { "<tr>\(cells.map { "<td>\($0)</td>" }.joined())</tr>\n" }

  static func table(_ header: [String], _ rows: [String]) -> String {
    "<table>\n<tr>\(header.map { "<th>\($0)</th>" }.joined())</tr>\n\(rows.joined())</table>"
  }
}

extension String {
  var escaped: String { visible.escapedForHTML }
}
