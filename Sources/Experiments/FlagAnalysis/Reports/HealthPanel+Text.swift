import FlagStatistics
import FlagSupport

extension HealthPanel.Check {
  var title: String {
    switch kind {
    case .usersOfSeveralVariants: "Users of several variants"
    case .usersBefore: "Users with conversions before their first exposure"
    case .lostEvents: "Events lost before they were sent"
    case .brokenLines: "Broken lines"
    case .conversionsOfOthers: "Conversions of users who were exposed"
    case .visitorsOfSeveralUnits: "Visitors with several ids"
    }
  }

  /// The result: the number and its share, and how it is spread over the variants.
  var result: String {
    guard let count, let share else { return "unknown" }
    if let units { return conversions(besides: count, share, units) }
    if count == 0 { return isFailed ? "none, nor any conversion of others" : "none" }
    var parts = ["\(count.grouped) (\(share.share()))"]
    if isFailed, let limit, share > limit { parts.append("more than \(limit.percent(4))") }
    guard let pValue else { return (parts + ["by variant: unknown"]).joined(separator: ", ") }
    let users = kind == .lostEvents ? "incomplete users " : ""
    let spread = pValue < HealthPanel.alpha ? "uneven" : "even"
    parts.append("\(users)\(spread) over variants (\(pValue.equation))")
    if let changed { parts.append("\(changed == 0 ? "none" : changed.grouped) of them saw several variants") }
    return parts.joined(separator: ", ")
  }

  /// The result where hardly any conversion belongs to someone exposed, with ids of both sides.
  private func conversions(besides others: Int, _ share: Double, _ units: UnitExamples) -> String {
    let all = share > 0 ? Int((Double(others) / share).rounded()) : others
    func list(_ texts: [String]) -> String { texts.map(\.quoted).joined(separator: ", ") }
    var text = "\((all - others).grouped) of \(all.grouped) (\((1 - share).share())), hardly any"
    if let attribute = units.attribute { text += ". Exposures count by \(attribute.quoted)" }
    if !units.exposed.isEmpty { text += ", such as \(list(units.exposed))" }
    if !units.converted.isEmpty { text += "; conversions are of \(list(units.converted))" }
    return text
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
