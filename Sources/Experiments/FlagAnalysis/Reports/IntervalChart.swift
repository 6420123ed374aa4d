import FlagStatistics
import FlagSupport

/// A chart of a metric's effects with their intervals.
struct IntervalChart {
  private let title: String
  private let metric: Metric
  private let rows: [(variant: String, comparison: Comparison)]
  private let axis: EffectAxis

  /// Creates the chart; nil if no effect could be estimated.
  init?(_ result: ExperimentAnalysis.MetricResult) {
    let rows = result.rows.compactMap { row in row.comparison.map { (variant: row.variant, comparison: $0) } }
    self.init(result.metric.title, result.metric, rows)
  }

  /// Creates the chart of some comparisons; nil if no effect could be estimated.
  init?(_ title: String, _ metric: Metric, _ rows: [(variant: String, comparison: Comparison)]) {
    guard let axis = EffectAxis(rows.map(\.comparison)) else { return nil }
    (self.title, self.metric, self.rows, self.axis) = (title, metric, rows, axis)
  }

  private static let (width, left, right, rowHeight) = (820.0, 150.0, 40.0, 30.0)

  private func x(_ effect: Double) -> Double {
    Self.left + axis.place(of: effect) * (Self.width - Self.left - Self.right)
  }

  var svg: String {
    let bottom = Double(rows.count) * Self.rowHeight + 6
    var parts = [
      "<svg viewBox=\"0 0 \(Self.width.fixed(0)) \((bottom + 22).fixed(0))\" role=\"img\" "
        + "aria-label=\"\("effects on \(title)".escaped)\">"
    ]
    for effect in axis.ticks { parts.append(tick(effect, bottom)) }
    parts.append(Self.line(x(0), 0, x(0), bottom, "#1c2024", 1, " stroke-dasharray=\"4 3\""))
    for (index, row) in rows.enumerated() {
      let y = (Double(index) + 0.5) * Self.rowHeight + 3
      parts += marks(row.comparison, at: y)
      let name = row.variant.cut(to: 20).escaped
      let place = "x=\"\((Self.left - 12).fixed(0))\" y=\"\((y + 4).fixed(1))\""
      parts.append("<text \(place) text-anchor=\"end\">\(name)</text>")
    }
    return parts.joined(separator: "\n") + "\n</svg>"
  }

  private func tick(_ effect: Double, _ bottom: Double) -> String {
    let label = rows[0].comparison.text(effect, metric).escaped
    return Self.line(x(effect), 0, x(effect), bottom, "#e0e1e6", 1) + "\n"
      + "<text x=\"\(x(effect).fixed(1))\" y=\"\((bottom + 16).fixed(1))\" text-anchor=\"middle\">\(label)</text>"
  }

  private func marks(_ comparison: Comparison, at y: Double) -> [String] {
    let color = Self.color(of: comparison)
    let line = comparison.decidingInterval.map { Self.line(x($0.lower), y, x($0.upper), y, color, 6) }
    let arrows = axis.cutEnds(of: comparison).map { end in
      let start = x(end < 0 ? axis.lower : axis.upper)
      return "<path d=\"M\(start.fixed(1)) \((y - 7).fixed(1))l\(end * 11) 7l\(end * -11) 7z\" fill=\"\(color)\"/>"
    }
    guard comparison.effect.isFinite else { return [line].compactMap(\.self) + arrows }
    let place = "cx=\"\(x(comparison.effect).fixed(1))\" cy=\"\(y.fixed(1))\""
    return [line].compactMap(\.self) + arrows + ["<circle \(place) r=\"6\" fill=\"\(color)\" stroke=\"#fff\"/>"]
  }

  private static func color(of comparison: Comparison) -> String {
    switch (comparison.guardrail?.verdict, comparison.verdict) {
    case (.held?, _), (nil, .better): "#18794e"
    case (.violated?, _), (nil, .worse): "#ce2c31"
    case (.undecided?, _), (nil, .undecided): "#3e63dd"
    }
  }

  private static func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ color: String, _ width: Double, _ rest: String = ""
  ) -> String {
    "<line x1=\"\(x1.fixed(1))\" y1=\"\(y1.fixed(1))\" x2=\"\(x2.fixed(1))\" y2=\"\(y2.fixed(1))\" "
      + "stroke=\"\(color)\" stroke-width=\"\(width.fixed(1))\"\(rest)/>"
  }
}
