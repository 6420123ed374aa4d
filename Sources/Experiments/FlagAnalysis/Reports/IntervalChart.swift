import FlagStatistics
import FlagSupport

/// A chart of a metric's effects with their intervals, one below the other.
struct IntervalChart {
  private let title: String
  private let metric: Metric
  private let rows: [(name: String, comparison: Comparison)]
  private let axis: EffectAxis

  /// Creates the chart; nil if no effect could be estimated.
  init?(_ title: String, _ metric: Metric, _ rows: [(name: String, comparison: Comparison)]) {
    guard let axis = EffectAxis(rows.map(\.comparison)) else { return nil }
    (self.title, self.metric, self.rows, self.axis) = (title, metric, rows, axis)
  }

  private static let (width, left, right, rowHeight) = (820.0, 150.0, 40.0, 30.0)

  private func x(_ effect: Double) -> Double {
    Self.left + axis.place(of: effect) * (Self.width - Self.left - Self.right)
  }

  var svg: String {
    let bottom = Double(rows.count) * Self.rowHeight + 6
    var parts = axis.ticks.flatMap { effect in
      [
        SVG.line(x(effect), 0, x(effect), bottom, "#e0e1e6"),
        SVG.text(x(effect), bottom + 16, rows[0].comparison.text(effect, metric), .middle),
      ]
    }
    parts.append(SVG.line(x(0), 0, x(0), bottom, "#1c2024", dashes: "4 3"))
    for (index, row) in rows.enumerated() {
      let y = (Double(index) + 0.5) * Self.rowHeight + 3
      parts += marks(row.comparison, at: y)
      parts.append(SVG.text(Self.left - 12, y + 4, row.name.cut(to: 20), .end))
    }
    return SVG.image(Self.width, bottom + 22, "effects on \(title)", parts)
  }

  private func marks(_ comparison: Comparison, at y: Double) -> [String] {
    let color = Self.color(of: comparison)
    let line = comparison.decidingInterval.map { SVG.line(x($0.lower), y, x($0.upper), y, color, 6) }
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
}
