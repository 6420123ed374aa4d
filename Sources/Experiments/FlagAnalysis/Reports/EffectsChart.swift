import FlagDomain
import FlagStatistics
import FlagSupport

/// A chart of a metric's effects by the end of each day, with the intervals that decide.
struct EffectsChart {
  private typealias Point = (day: Int, comparison: Comparison)

  private static let (width, height, left, right) = (820.0, 220.0, 80.0, 130.0)

  private let metric: Metric
  private let lines: [(variant: String, points: [Point])]
  private let axis: EffectAxis
  private let days: ClosedRange<Int>

  /// Creates the chart; nil for fewer than two days with an effect.
  init?(_ analysis: ExperimentAnalysis, _ metric: Metric) {
    let variants = analysis.metrics.first { $0.metric == metric }?.rows.map(\.variant) ?? []
    let lines = variants.map { variant in
      (
        variant: variant,
        points: analysis.days.compactMap { day -> Point? in
          let row = day.metrics.first { $0.metric == metric }?.rows.first { $0.variant == variant }
          return row?.comparison.map { (day.day, $0) }
        }
      )
    }.filter { $0.points.count > 1 }
    let last = lines.compactMap(\.points.last?.comparison)
    let known = lines.flatMap { $0.points.map(\.day) }
    // The first days' intervals are wide; the axis is that of the later half.
    let half = lines.flatMap { $0.points.suffix(($0.points.count + 1) / 2).map(\.comparison) }
    guard !last.isEmpty, let first = known.min(), let end = known.max(), let axis = EffectAxis(half) else { return nil }
    (self.metric, self.lines, self.axis, days) = (metric, lines, axis, first...end)
  }

  private func x(_ day: Int) -> Double {
    let share = Double(day - days.lowerBound) / Double(max(1, days.count - 1))
    return Self.left + (Self.width - Self.left - Self.right) * share
  }

  private func y(_ effect: Double) -> Double { 10 + (Self.height - 20) * (1 - axis.place(of: effect)) }

  var svg: String {
    let height = Self.height + 20
    var parts = [
      "<svg viewBox=\"0 0 \(Self.width.fixed(0)) \(height.fixed(0))\" role=\"img\" "
        + "aria-label=\"\("effects over time on \(metric.title)".escaped)\">"
    ]
    for effect in axis.ticks { parts += tick(effect) }
    for day in [days.lowerBound, days.upperBound] {
      parts.append(
        UsersChart.text(x(day), height - 4, "\(CalendarDay(daysSince1970: Int64(day)))", anchor: "middle"))
    }
    var label = -Double.infinity
    for (number, line) in lines.enumerated() {
      let color = UsersChart.colors[number % UsersChart.colors.count]
      parts += curves(line.points, color)
      label = max(y(line.points.last?.comparison.effect ?? 0) + 4, label + 14)
      parts.append(UsersChart.text(Self.width - Self.right + 8, label, line.variant.cut(to: 18), color: color))
    }
    return parts.joined(separator: "\n") + "\n</svg>\n"
  }

  private func tick(_ effect: Double) -> [String] {
    let text = lines[0].points[0].comparison.text(effect, metric)
    let color = effect == 0 ? "#1c2024" : "#e0e1e6"
    return [
      "<line x1=\"\(Self.left.fixed(0))\" y1=\"\(y(effect).fixed(1))\" x2=\"\((Self.width - Self.right).fixed(0))\" "
        + "y2=\"\(y(effect).fixed(1))\" stroke=\"\(color)\"/>",
      UsersChart.text(Self.left - 8, y(effect) + 4, text, anchor: "end"),
    ]
  }

  private func curves(_ points: [Point], _ color: String) -> [String] {
    func line(_ points: some Collection<Point>, _ effect: (Comparison) -> Double) -> String {
      points.map { "\(x($0.day).fixed(1)),\(y(effect($0.comparison)).fixed(1))" }.joined(separator: " ")
    }
    let known = points.filter { $0.comparison.decidingInterval != nil }
    let band =
      line(known) { $0.decidingInterval?.upper ?? .infinity } + " "
      + line(known.reversed()) { $0.decidingInterval?.lower ?? -.infinity }
    return [
      "<polygon points=\"\(band)\" fill=\"\(color)\" fill-opacity=\"0.15\"/>",
      "<polyline points=\"\(line(points) { $0.effect })\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\"/>",
    ]
  }
}
