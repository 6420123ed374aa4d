import FlagDomain
import FlagStatistics
import FlagSupport

/// A chart of a line for each variant over days, each with a band if its numbers have intervals.
struct DayChart {
  /// A line; its numbers are places between the bottom, 0, and the top, 1.
  private struct Line {
    let variant: String
    let points: [(day: Int, place: Double)]
    var band: [(day: Int, lower: Double, upper: Double)] = []
  }

  private static let colors = ["#3e63dd", "#e54666", "#18794e", "#ad5700", "#8347b9", "#0e7c8b"]
  private static let (width, height, left, right) = (820.0, 220.0, 80.0, 130.0)
  /// The maximum number of points of a line of users.
  private static let maximumPoints = 200

  private let title: String
  private let ticks: [(place: Double, text: String)]
  /// The place of the line of no effect; nil without one.
  private let zero: Double?
  private let lines: [Line]
  private let days: ClosedRange<Int>

  /// Creates the chart of the number of users by the end of each day, or of every second one, or third, and so on.
  ///
  /// - Returns: The chart; nil for fewer than two days.
  init?(usersOf variants: [ExperimentData.Variant]) {
    let known = variants.flatMap(\.usersByDay.keys)
    guard let first = known.min(), let last = known.max(), last > first else { return nil }
    let step = (last - first) / Self.maximumPoints + 1
    let counts = variants.map { variant in
      var (rest, users) = (variant.usersByDay.sorted { $0.key < $1.key }[...], 0)
      return stride(from: first, through: last + step - 1, by: step).map { day in
        while let next = rest.first, next.key <= day { users += rest.removeFirst().value }
        return (day: day, users: users)
      }
    }
    let most = max(1, counts.compactMap { $0.last?.users }.max() ?? 1)
    func place(_ users: Int) -> Double { Double(users) / Double(most) }
    (title, zero) = ("users over time", nil)
    ticks = [0, most / 2, most].map { (place($0), $0.grouped) }
    lines = zip(variants, counts).map { variant, counts in
      Line(variant: variant.name, points: counts.map { ($0.day, place($0.users)) })
    }
    days = first...(counts.first?.last?.day ?? last)
  }

  /// Creates the chart of a metric's effects by the end of each day, with the intervals that decide.
  ///
  /// - Returns: The chart; nil for fewer than two days with an effect.
  init?(effectsOn metric: Metric, of analysis: ExperimentAnalysis) {
    let variants = analysis.metrics.first { $0.metric == metric }?.rows.map(\.variant) ?? []
    let effects = variants.map { variant in
      let points = analysis.days.compactMap { day -> (day: Int, comparison: Comparison)? in
        let row = day.metrics.first { $0.metric == metric }?.rows.first { $0.variant == variant }
        return row?.comparison.map { (day.day, $0) }
      }
      return (variant: variant, points: points)
    }.filter { $0.points.count > 1 }
    let known = effects.flatMap { $0.points.map(\.day) }
    // The first days' intervals are wide; the axis is that of the later half.
    let half = effects.flatMap { $0.points.suffix(($0.points.count + 1) / 2).map(\.comparison) }
    guard let first = known.min(), let last = known.max(), let axis = EffectAxis(half) else { return nil }
    (title, zero, days) = ("effects over time on \(metric.title)", axis.place(of: 0), first...last)
    ticks = axis.ticks.map { (axis.place(of: $0), half[0].text($0, metric)) }
    lines = effects.map { variant, points in
      Line(
        variant: variant, points: points.map { ($0.day, axis.place(of: $0.comparison.effect)) },
        band: points.compactMap { point in
          point.comparison.decidingInterval.map { (point.day, axis.place(of: $0.lower), axis.place(of: $0.upper)) }
        })
    }
  }

  private func x(_ day: Int) -> Double {
    let share = Double(day - days.lowerBound) / Double(max(1, days.count - 1))
    return Self.left + (Self.width - Self.left - Self.right) * share
  }

  private func y(_ place: Double) -> Double { 10 + (Self.height - 20) * (1 - place) }

  var svg: String {
    let right = Self.width - Self.right
    var parts = ticks.flatMap { place, text in
      [
        SVG.line(Self.left, y(place), right, y(place), place == zero ? "#1c2024" : "#e0e1e6"),
        SVG.text(Self.left - 8, y(place) + 4, text, .end),
      ]
    }
    for day in [days.lowerBound, days.upperBound] {
      parts.append(SVG.text(x(day), Self.height + 16, "\(CalendarDay(daysSince1970: Int64(day)))", .middle))
    }
    // Labels do not overlap, even if lines end close to each other.
    var label = -Double.infinity
    func end(_ line: Line) -> Double { line.points.last?.place ?? 0 }
    for (number, line) in lines.enumerated().sorted(by: { end($0.element) > end($1.element) }) {
      let color = Self.colors[number % Self.colors.count]
      let upper = line.band.map { ($0.day, $0.upper) }
      let lower = line.band.reversed().map { ($0.day, $0.lower) }
      if !line.band.isEmpty {
        parts.append("<polygon points=\"\(points(upper + lower))\" fill=\"\(color)\" fill-opacity=\"0.15\"/>")
      }
      let curve = points(line.points)
      parts.append("<polyline points=\"\(curve)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\"/>")
      label = max(y(end(line)) + 4, label + 14)
      parts.append(SVG.text(right + 8, label, line.variant.cut(to: 18), .start, color))
    }
    return SVG.image(Self.width, Self.height + 20, title, parts)
  }

  private func points(_ points: [(Int, Double)]) -> String {
    points.map { day, place in "\(x(day).fixed(1)),\(y(place).fixed(1))" }.joined(separator: " ")
  }
}

/// The elements of charts.
enum SVG {
  enum Anchor: String { case start, middle, end }

  static func image(_ width: Double, _ height: Double, _ title: String, _ parts: [String]) -> String {
    let start =
      "<svg viewBox=\"0 0 \(width.fixed(0)) \(height.fixed(0))\" role=\"img\" aria-label=\"\(title.escaped)\">"
    return ([start] + parts + ["</svg>"]).joined(separator: "\n")
  }

  static func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ color: String, _ width: Double = 1, dashes: String? = nil
  ) -> String {
    "<line x1=\"\(x1.fixed(1))\" y1=\"\(y1.fixed(1))\" x2=\"\(x2.fixed(1))\" y2=\"\(y2.fixed(1))\" "
      + "stroke=\"\(color)\" stroke-width=\"\(width.fixed(1))\"\(dashes.map { " stroke-dasharray=\"\($0)\"" } ?? "")/>"
  }

  static func text(
    _ x: Double, _ y: Double, _ text: String, _ anchor: Anchor, _ color: String = "#1c2024"
  ) -> String {
    "<text x=\"\(x.fixed(1))\" y=\"\(y.fixed(1))\" text-anchor=\"\(anchor)\" style=\"fill:\(color)\">"
      + "\(text.escaped)</text>"
  }
}
