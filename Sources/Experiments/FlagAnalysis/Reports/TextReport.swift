import FlagDomain
import FlagStatistics
import FlagSupport

/// An analysis as text for a terminal of 80 columns.
package struct TextReport {
  private let analysis: ExperimentAnalysis
  /// The width of the report, and the minimum width of a chart, in columns.
  private static let (width, chartWidth) = (79, 20)
  private static let nameWidth = 16

  package init(_ analysis: ExperimentAnalysis) { self.analysis = analysis }

  package var text: String {
    let parts =
      [heading, health] + analysis.metrics.map(metric)
      + Self.segments(analysis) + Self.days(analysis) + [remarks]
    return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }
}

extension TextReport {
  private var heading: [String] {
    var lines = ["Experiment\(analysis.data.flag.map { " \($0.visible)" } ?? "")"]
    let users = analysis.data.users.grouped
    lines.append(
      "  \(users) users\(analysis.period.map { ", \($0)" } ?? ""), compared with \(analysis.control.visible)")
    return lines
  }

  private var health: [String] {
    let (health, line) = (analysis.health, String(repeating: "!", count: Self.width))
    let heading = "Health: \(health.summary)"
    return (health.isSound ? [heading] : [line, "!! \(heading)", line]) + ratio + health.checks.flatMap(lines)
  }

  private var ratio: [String] {
    let ratio = analysis.ratio
    let shares = analysis.shares.map { share in
      [
        share.variant.cut(to: Self.nameWidth), "\(share.users.grouped) users", analysis.part(of: share).percent(),
        "planned \(share.planned.percent())",
      ]
    }
    let result = "Sample ratio: \(ratio.isMismatch ? "not " : "")as planned (\(ratio.pValue.equation))"
    return Self.item(result, isFailed: ratio.isMismatch) + TextTable(shares, .right, indentedBy: 6).lines
  }

  private func lines(_ check: HealthPanel.Check) -> [String] {
    let parts = check.parts.map { part in
      [part.variant.cut(to: Self.nameWidth), "\(part.count.grouped) of \(part.total.grouped)", part.share.percent()]
    }
    return Self.item("\(check.title): \(check.result)", isFailed: check.isFailed)
      + TextTable(parts, .right, indentedBy: 6).lines
  }

  private static func item(_ text: String, isFailed: Bool) -> [String] {
    text.wrapped(to: width - 6).enumerated().map { index, line in
      (index > 0 ? "      " : isFailed ? "  !!  " : "  ok  ") + line
    }
  }

  private func metric(_ result: ExperimentAnalysis.MetricResult) -> [String] {
    let metric = result.metric
    let level = (1 - analysis.settings.alpha).roundPercent
    var lines = ["\(metric.margin == nil ? "" : "Guardrail ")\(metric.title.visible): \(analysis.summary(metric))"]
    let header = ["", "users", "value", "effect", "\(level) interval", analysis.pName(metric)]
    lines += TextTable([header] + result.rows.map { cells($0, metric) }, .right, indentedBy: 2).lines
    for row in result.rows {
      if let absence = row.absence { lines.append("  \(row.variant.cut(to: Self.nameWidth)): \(absence)") }
    }
    lines += analysis.adjustments(of: result).map { "  \($0)" }
    return lines + chart(result)
  }

  private func cells(_ row: ExperimentAnalysis.Row, _ metric: Metric) -> [String] {
    let cells = [row.variant.cut(to: Self.nameWidth), row.users.grouped, metric.text(row.mean)]
    guard let comparison = row.comparison else { return cells + ["", "", ""] }
    return cells + [
      comparison.text(comparison.effect, metric), comparison.text(comparison.interval, metric),
      (comparison.adjustedPValue ?? comparison.pValue).probability,
    ]
  }
}

extension TextReport {
  /// Returns a line for each variant, with its interval and its conclusion.
  private func chart(_ result: ExperimentAnalysis.MetricResult) -> [String] {
    let rows = result.rows.compactMap { row in row.comparison.map { (row.variant, $0) } }
    guard !rows.isEmpty else { return [] }
    let axis = EffectAxis(rows.map(\.1))
    let names = rows.map { $0.0.cut(to: Self.nameWidth) }
    let conclusions = rows.map { $0.1.conclusion(result.metric) }
    let nameWidth = names.map(\.count).max() ?? 0
    let width = max(Self.chartWidth, Self.width - 6 - nameWidth - (conclusions.map(\.count).max() ?? 0))
    var lines = rows.indices.map { index in
      let line = axis.map { Self.line(rows[index].1, $0, width) + "  " } ?? ""
      return "  \(names[index].padded(to: nameWidth))  \(line)\(conclusions[index])"
    }
    guard let axis else { return lines }
    let ends = [axis.lower, axis.upper].map { rows[0].1.text($0, result.metric) }
    let gap = String(repeating: " ", count: max(1, width - ends[0].count - ends[1].count))
    lines.append("  \(String(repeating: " ", count: nameWidth))  \(ends[0])\(gap)\(ends[1])")
    return lines
  }

  private static func line(_ comparison: Comparison, _ axis: EffectAxis, _ width: Int) -> String {
    func column(_ effect: Double) -> Int { Int((axis.place(of: effect) * Double(width - 1)).rounded()) }
    var characters = [Character](repeating: " ", count: width)
    func draw(_ interval: ConfidenceInterval, _ character: Character) {
      for index in column(interval.lower)...column(interval.upper) { characters[index] = character }
    }
    draw(comparison.sequentialInterval, "─")
    draw(comparison.interval, "━")
    characters[column(0)] = characters[column(0)] == " " ? "│" : characters[column(0)] == "━" ? "┿" : "┼"
    characters[column(comparison.effect)] = "●"
    return String(characters)
  }

  private var remarks: [String] {
    var lines = analysis.remarks.map { "- \($0)" }
    guard analysis.metrics.contains(where: { $0.rows.contains { $0.comparison != nil } }) else { return lines }
    lines.append("- ● effect, ━ interval of one look, ─ of any number of looks, │ no effect")
    lines.append("- \(analysis.validity)")
    return lines
  }
}

extension Comparison {
  /// The chance to win, which is never shown as 0 or 1.
  private var chanceText: String {
    chanceToWin >= 0.9995 ? "> 99.9 %" : chanceToWin < 0.0005 ? "< 0.1 %" : chanceToWin.percent()
  }

  func conclusion(_ metric: Metric) -> String {
    guard let guardrail else { return "\(verdict.rawValue), wins \(chanceText)" }
    let harm = max(0, metric.improvement == .increase ? -guardrail.bound : guardrail.bound)
    let limit = harm.isFinite ? "≤ \(text(harm, metric).replacing("+", with: ""))" : "unbounded"
    return "\(guardrail.verdict.rawValue), harm \(limit)"
  }
}

extension String {
  func cut(to count: Int) -> String {
    let text = visible
    return text.count <= count ? text : "\(text.prefix(count - 1))…"
  }

  /// Returns the text in lines of a width, broken at spaces.
  func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    for word in split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
