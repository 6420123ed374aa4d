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
    let parts = [heading, health] + analysis.sections.map(section) + [remarks]
    return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  private var heading: [String] {
    var lines = ["Experiment\(analysis.data.flag.map { " \($0.visible)" } ?? "")"]
    let users = analysis.data.users.groupedUsers
    lines.append(
      "  \(users)\(analysis.period.map { ", \($0)" } ?? ""), compared with \(analysis.control.visible)")
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
        share.variant.cut(to: Self.nameWidth), share.users.groupedUsers, analysis.part(of: share).share(),
        "planned \(share.planned.share())",
      ]
    }
    let result = "Sample ratio: \(ratio.isMismatch ? "not " : "")as planned (\(ratio.pValue.equation))"
    return Self.item(result, isFailed: ratio.isMismatch) + TextTable(shares, .right, indentedBy: 6).lines
  }

  private func lines(_ check: HealthPanel.Check) -> [String] {
    let parts = check.parts.map { part in
      [part.variant.cut(to: Self.nameWidth), "\(part.count.grouped) of \(part.total.grouped)", part.share.share()]
    }
    return Self.item("\(check.title): \(check.result)", isFailed: check.isFailed)
      + TextTable(parts, .right, indentedBy: 6).lines
  }

  private static func item(_ text: String, isFailed: Bool) -> [String] {
    text.wrapped(to: width - 6).enumerated().map { index, line in
      (index > 0 ? "      " : isFailed ? "  !!  " : "  ok  ") + line
    }
  }

  private func section(_ section: ReportSection) -> [String] {
    let isWhole = section.kind == .whole
    let title = section.title.visible
    let heading =
      switch section.kind {
      case .whole: "\(title): \(section.summary)"
      case .segments: title
      case .days: "\(title), \(section.summary)"
      }
    let header = section.titles.map { _ in "" } + section.columns + (isWhole ? [] : [""])
    let rows = section.rows.map { titles, row in
      titles.map { $0.cut(to: isWhole ? Self.nameWidth : 12) } + section.cells(row)
        + (isWhole ? [] : [row.comparison?.outcome ?? ""])
    }
    let table = [heading] + TextTable([header] + rows, .right, indentedBy: 2).lines
    let result = analysis.metrics.first { isWhole && $0.metric == section.metric }
    return table + (result.map(findings) ?? [])
  }

  /// Returns what is said of a metric below its table.
  private func findings(_ result: ExperimentAnalysis.MetricResult) -> [String] {
    var lines: [String] = []
    for row in result.rows {
      guard let absence = row.absence else { continue }
      let text = "\(row.variant.cut(to: Self.nameWidth)): \(absence)"
      lines += text.wrapped(to: Self.width - 2).map { "  \($0)" }
    }
    lines += analysis.adjustments(of: result).map { "  \($0)" }
    for row in result.rows {
      guard let text = row.comparison?.oneLookText(result.metric) else { continue }
      lines.append("  \(row.variant.cut(to: Self.nameWidth)), at one planned look: \(text)")
    }
    let advice = analysis.advice(on: result).map { "Next: \($0)".wrapped(to: Self.width - 2) } ?? []
    return lines + chart(result) + advice.map { "  \($0)" }
  }

  /// Returns a line for each variant, with its interval and its conclusion.
  private func chart(_ result: ExperimentAnalysis.MetricResult) -> [String] {
    let rows = result.rows.compactMap { row in row.comparison.map { (row.variant, $0) } }
    guard !rows.isEmpty else { return [] }
    let axis = EffectAxis(rows.map(\.1))
    let names = rows.map { $0.0.cut(to: Self.nameWidth) }
    let conclusions = rows.map { $0.1.conclusion(result.metric) }
    let nameWidth = names.map(\.count).max() ?? 0
    let width = max(Self.chartWidth, Self.width - 6 - nameWidth - (conclusions.map(\.count).max() ?? 0))
    let cuts = Set(rows.flatMap { row in axis?.cutEnds(of: row.1) ?? [] })
    var lines = rows.indices.map { index in
      let line = axis.map { Self.line(rows[index].1, $0, width, cuts) + "  " } ?? ""
      return "  \(names[index].padded(to: nameWidth))  \(line)\(conclusions[index])"
    }
    guard let axis else { return lines }
    let ends = [axis.lower, axis.upper].map { rows[0].1.text($0, result.metric) }
    let gap = String(repeating: " ", count: max(1, width - ends[0].count - ends[1].count))
    lines.append("  \(String(repeating: " ", count: nameWidth))  \(ends[0])\(gap)\(ends[1])")
    return lines
  }

  /// Returns a variant's line, with a column for the arrows at each end where an interval of the chart is cut.
  private static func line(
    _ comparison: Comparison, _ axis: EffectAxis, _ width: Int, _ cuts: Set<Int>
  ) -> String {
    let first = cuts.contains(-1) ? 1 : 0
    let span = Double(width - 1 - cuts.count)
    func column(_ effect: Double) -> Int { first + Int((axis.place(of: effect) * span).rounded()) }
    var characters = [Character](repeating: " ", count: width)
    func draw(_ interval: ConfidenceInterval, _ character: Character) {
      for index in column(interval.lower)...column(interval.upper) { characters[index] = character }
    }
    if let interval = comparison.decidingInterval { draw(interval, "━") }
    characters[column(0)] = characters[column(0)] == " " ? "│" : "┿"
    if comparison.effect.isFinite { characters[column(comparison.effect)] = "●" }
    for end in axis.cutEnds(of: comparison) { characters[end < 0 ? 0 : width - 1] = end < 0 ? "◀" : "▶" }
    return String(characters)
  }

  private var remarks: [String] {
    var lines = analysis.remarks.map { "- \($0)" }
    guard analysis.hasComparisons else { return lines }
    let isCut = analysis.metrics.map { $0.rows.compactMap(\.comparison) }.contains { rows in
      EffectAxis(rows).map { axis in rows.contains { !axis.cutEnds(of: $0).isEmpty } } ?? false
    }
    lines.append("- ● effect, ━ the interval that decides\(isCut ? ", ◀ ▶ it goes on" : ""), │ no effect")
    lines.append("- \(analysis.validity)")
    return lines
  }
}

extension Comparison {
  /// The chance to win, which is never shown as 0 or 1.
  private var chanceText: String {
    chanceToWin >= 0.9995 ? "> 99.9 %" : chanceToWin < 0.0005 ? "< 0.1 %" : chanceToWin.share()
  }

  /// The finding of one planned look; nil where that decides, and for a guardrail.
  func oneLookText(_ metric: Metric) -> String? {
    guard looks == .any, guardrail == nil else { return nil }
    return "\(text(oneLook.interval, metric)), \(oneLook.decidingPValue.equation), wins \(chanceText)"
  }

  func conclusion(_ metric: Metric) -> String {
    guard let guardrail else { return looks == .any ? verdict.rawValue : "\(verdict.rawValue), wins \(chanceText)" }
    let ends = [guardrail.interval?.lower ?? -.infinity, guardrail.interval?.upper ?? .infinity]
    let (least, most) = metric.improvement == .increase ? (-ends[1], -ends[0]) : (ends[0], ends[1])
    let (harm, sign) = guardrail.verdict == .violated ? (least, "≥") : (max(0, most), "≤")
    let limit = harm.isFinite ? "\(sign) \(text(harm, metric).replacing("+", with: ""))" : "unbounded"
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
