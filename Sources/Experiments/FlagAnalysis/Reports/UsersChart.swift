import FlagDomain
import FlagSupport

/// A chart of the number of users of each variant by the end of each day.
struct UsersChart {
  /// The maximum number of points of a line; with more days only every second one is shown, or every third, and so on.
  private static let maximumPoints = 200
  static let colors = ["#3e63dd", "#e54666", "#18794e", "#ad5700", "#8347b9", "#0e7c8b"]
  private static let (width, height, left, right) = (820.0, 220.0, 70.0, 130.0)

  private let days: [Int]
  private let lines: [(variant: String, users: [Int])]
  private let most: Int

  /// Creates the chart; nil for fewer than two days.
  init?(_ variants: [ExperimentData.Variant]) {
    let known = Set(variants.flatMap(\.usersByDay.keys)).sorted()
    guard let first = known.first, let last = known.last, last > first else { return nil }
    let step = (last - first) / Self.maximumPoints + 1
    let days = Array(stride(from: first, through: last + step - 1, by: step))
    let lines = variants.map { variant in
      var rest = variant.usersByDay.sorted { $0.key < $1.key }[...]
      var users = 0
      let points = days.map { day in
        while let next = rest.first, next.key <= day { users += rest.removeFirst().value }
        return users
      }
      return (variant: variant.name, users: points)
    }
    (self.days, self.lines) = (days, lines)
    most = max(1, lines.flatMap(\.users).max() ?? 1)
  }

  private func x(_ index: Int) -> Double {
    Self.left + (Self.width - Self.left - Self.right) * Double(index) / Double(days.count - 1)
  }

  private func y(_ users: Int) -> Double { 10 + (Self.height - 20) * (1 - Double(users) / Double(most)) }

  var svg: String {
    let height = Self.height + 20
    let size = "0 0 \(Self.width.fixed(0)) \(height.fixed(0))"
    var parts = ["<svg viewBox=\"\(size)\" role=\"img\" aria-label=\"users over time\">"]
    for users in [0, most / 2, most] {
      parts.append(
        "<line x1=\"\(Self.left.fixed(0))\" y1=\"\(y(users).fixed(1))\" x2=\"\((Self.width - Self.right).fixed(0))\" "
          + "y2=\"\(y(users).fixed(1))\" stroke=\"#e0e1e6\"/>")
      parts.append(Self.text(Self.left - 8, y(users) + 4, users.grouped, anchor: "end"))
    }
    for index in [0, days.count - 1] {
      parts.append(
        Self.text(x(index), height - 4, "\(CalendarDay(daysSince1970: Int64(days[index])))", anchor: "middle"))
    }
    var label = -Double.infinity
    let ordered = lines.enumerated().sorted { ($0.element.users.last ?? 0) > ($1.element.users.last ?? 0) }
    for (number, line) in ordered {
      let color = Self.colors[number % Self.colors.count]
      let points = line.users.enumerated().map { "\(x($0).fixed(1)),\(y($1).fixed(1))" }.joined(separator: " ")
      parts.append("<polyline points=\"\(points)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\"/>")
      // Labels do not overlap, even if lines end close to each other.
      label = max(y(line.users.last ?? 0) + 4, label + 14)
      parts.append(Self.text(Self.width - Self.right + 8, label, line.variant.cut(to: 18), color: color))
    }
    return parts.joined(separator: "\n") + "\n</svg>"
  }

  static func text(
    _ x: Double, _ y: Double, _ text: String, anchor: String = "start", color: String = "#1c2024"
  ) -> String {
    "<text x=\"\(x.fixed(1))\" y=\"\(y.fixed(1))\" text-anchor=\"\(anchor)\" style=\"fill:\(color)\">"
      + "\(text.escaped)</text>"
  }
}
