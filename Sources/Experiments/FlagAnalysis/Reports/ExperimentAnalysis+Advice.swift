import FlagStatistics
import FlagSupport

extension ExperimentAnalysis {
  /// Returns what to do about a metric, in a line; nil without anything to compare.
  func advice(on result: MetricResult) -> String? {
    guard health.isSound else { return "explain the health check that failed before anything is decided" }
    let rows = result.rows.filter { $0.variant != control }
    let lines = rows.map { row in (name: row.variant.cut(to: 16), text: advice(on: row, result.metric)) }
    let shipped = lines.filter { $0.text == Self.ship($0.name) }.map(\.name)
    // Variants are compared with the control, not with each other.
    let first = shipped.count > 1 ? ["ship one of \(shipped.joined(separator: ", "))"] : []
    let parts = lines.filter { first.isEmpty || !shipped.contains($0.name) }.compactMap { name, text in
      text.map { rows.count > 1 ? "\(name): \($0)" : $0 }
    }
    return first.isEmpty && parts.isEmpty ? nil : (first + parts).joined(separator: "; ")
  }

  private static func ship(_ name: String) -> String { "ship \(name)" }

  private func advice(on row: Row, _ metric: Metric) -> String? {
    let name = row.variant.cut(to: 16)
    guard let comparison = row.comparison else {
      return switch row.failure?.code {
      case nil: nil
      case .tooFewConversions?: "wait for more conversions"
      case .tooFewUsers?: "wait for more users"
      default: "judge \(name) by another metric: this one has no answer"
      }
    }
    let verdicts = (comparison.guardrail?.verdict, comparison.verdict)
    if verdicts.0 != .violated, verdicts.0 != nil || verdicts.1 != .worse,
      let guardrail = guardrails(.violated, of: row.variant).first
    {
      return "look at \(guardrail.title.visible) first: its guardrail is violated"
    }
    switch verdicts {
    case (.held?, _): return "\(name) may stay: more harm than the margin is ruled out"
    case (.violated?, _): return "stop \(name): it does more harm than the margin"
    case (nil, .worse):
      return contradiction(.better, of: row.variant) ?? "keep \(control.cut(to: 16))"
    case (nil, .better):
      if let guardrail = guardrails(.undecided, of: row.variant).first {
        return "wait for the guardrail \(guardrail.title.visible), which is undecided"
      }
      return contradiction(.worse, of: row.variant) ?? Self.ship(name)
    case (.undecided?, _), (nil, .undecided): return missingUsers(comparison)
    }
  }

  /// Returns the guardrails with a verdict about a variant; one that cannot be compared yet is undecided.
  private func guardrails(_ verdict: Guardrail.Verdict, of variant: String) -> [Metric] {
    metrics.filter { result in
      result.metric.margin != nil
        && result.rows.contains { row in
          row.variant == variant && (row.comparison?.guardrail?.verdict ?? .undecided) == verdict
        }
    }.map(\.metric)
  }

  /// Returns what to do if another metric has a verdict about a variant; nil if none has, or if a guardrail decides.
  private func contradiction(_ verdict: Comparison.Verdict, of variant: String) -> String? {
    guard guardrails(.violated, of: variant).isEmpty else { return nil }
    let other = metrics.first { result in
      result.metric.margin == nil
        && result.rows.contains { $0.variant == variant && $0.comparison?.verdict == verdict }
    }
    return other.map { "weigh it against \($0.metric.sectionTitle.visible), which is \(verdict.rawValue)" }
  }

  private func missingUsers(_ comparison: Comparison) -> String {
    guard let factor = comparison.neededUsers else {
      return "choose by cost: so small an effect needs more than a hundred times the users"
    }
    let missing = (factor - 1) * Double(comparison.difference.count)
    let isEqual = Set(shares.map(\.planned)).count == 1
    let count = missing / (isEqual ? 2 : 1)
    return "wait for about \(count.twoDigitsWhole) more users\(isEqual ? " in each group" : ""), if the effect stays"
  }
}

extension Double {
  /// The number rounded up to two digits and written out, at least 10.
  fileprivate var twoDigitsWhole: String {
    guard self >= 10 else { return "10" }
    var unit = 1.0
    while self / unit >= 100 { unit *= 10 }
    return ((self / unit).rounded(.up) * unit).fixed(0)
  }
}
