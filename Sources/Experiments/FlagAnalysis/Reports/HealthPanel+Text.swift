import FlagStatistics

extension HealthPanel.Check {
  var title: String {
    switch kind {
    case .usersOfSeveralVariants: "Users of several variants"
    case .usersBefore: "Users with conversions before their first exposure"
    case .lostEvents: "Events lost before they were sent"
    case .brokenLines: "Broken lines"
    }
  }

  /// The result: the number and its share, and how it is spread over the variants.
  var result: String {
    guard let count, let share else { return "unknown" }
    if count == 0 { return "none" }
    var parts = ["\(count.grouped) (\(share.percent()))"]
    if isFailed, let limit, share > limit { parts.append("more than \(limit.roundPercent)") }
    guard let pValue else { return (parts + ["by variant: unknown"]).joined(separator: ", ") }
    let users = kind == .lostEvents ? "incomplete users " : ""
    let spread = pValue < HealthPanel.alpha ? "uneven" : "even"
    return (parts + ["\(users)\(spread) over variants (\(pValue.equation))"]).joined(separator: ", ")
  }

  /// The affected users of each variant; empty without any.
  var parts: [HealthPanel.Part] { count == 0 ? [] : variants ?? [] }
}

extension HealthPanel.Part {
  var share: Double { total == 0 ? 0 : Double(count) / Double(total) }
}

extension HealthPanel {
  /// The result of all checks; a failure means that the effects do not count.
  var summary: String {
    if isSound { return "sound" }
    let checks = failures == 1 ? "1 check failed" : "\(failures) checks failed"
    return "\(checks), and no number below counts until that is explained"
  }
}
