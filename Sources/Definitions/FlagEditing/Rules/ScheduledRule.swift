package import FlagDomain
import FlagJSON

/// A rule that is a schedule around another rule, as ``RolloutSchedule`` writes it.
package struct ScheduledRule {
  /// The schedule.
  package let schedule: RolloutSchedule
  /// The text before a user's id that decides the user's share; nil for the flag's usual shares.
  let salt: String?
  /// The number of operands of the rule's `if`: the condition, the variant, and those of the rule around.
  private let operands: Int

  /// Reads a rule; nil if it is not exactly a rule that a schedule writes, apart from its layout.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - key: The flag's key.
  package init?(_ rule: FlagValue, of key: String) {
    guard let parts = rule.argument(of: "if"), parts.count > 1, let variant = parts[1].string,
      let condition = Condition(parts[0], variant, key)
    else { return nil }
    (operands, salt) = (parts.count, condition.salt)
    schedule = RolloutSchedule(variant: variant, steps: condition.schedule.steps, end: condition.schedule.end)
    // What was read is compared as a whole, so that no detail is lost by writing it again.
    do throws(FlagError) {
      guard try FlagValue.reading(json: condition.schedule.condition(salt: salt)) == parts[0] else { return nil }
    } catch {
      return nil
    }
  }

  private static let path = DocumentPath.root.appending("if")

  /// Returns the rule's text with another schedule in place of this one; the rule around stays as it is written.
  func replacing(in rule: String, with new: RolloutSchedule, of key: String) throws(FlagError) -> String {
    var editor = try JSONEditor(Array(rule.utf8))
    // Users keep their shares: a split that is there stays the same.
    let isSplit = schedule.steps.contains { (1..<100).contains($0.percent) }
    let newSalt = RolloutSchedule.needsSalt(beside: try without(rule)) ? RolloutSchedule.salt(of: key) : nil
    let condition = new.condition(salt: isSplit ? salt : newSalt)
    if condition != schedule.condition(salt: salt) { try editor.replace(Self.path.appending(0), with: condition) }
    if new.variant != schedule.variant {
      try editor.replace(Self.path.appending(1), with: FlagValue.string(new.variant).description)
    }
    return String(decoding: editor.text, as: UTF8.self)
  }

  /// Returns the text of the rule without the schedule, as it is indented there; empty for none.
  func without(_ rule: String) throws(FlagError) -> String {
    var editor = try JSONEditor(Array(rule.utf8))
    if operands > 3 {
      try editor.remove(Self.path.appending(0))
      try editor.remove(Self.path.appending(0))
      return String(decoding: editor.text, as: UTF8.self)
    }
    guard operands == 3, let rest = editor.source(of: Self.path.appending(2)), rest != "null" else { return "" }
    // A rule is an object.
    return rest.hasPrefix("{") ? rest : #"{"if": [\#(rest)]}"#
  }

  /// The condition of a schedule, as far as its form can be told from its parts.
  private struct Condition {
    var schedule: RolloutSchedule
    var salt: String?

    init?(_ condition: FlagValue, _ variant: String, _ key: String) {
      var (beginning, end): (FlagValue?, Int64?) = (condition, nil)
      if let time = Self.time(condition, "<") {
        (beginning, end) = (nil, time)
      } else if let parts = condition.argument(of: "and"), parts.count == 2, let time = Self.time(parts[1], "<") {
        (beginning, end) = (parts[0], time)
      }
      schedule = RolloutSchedule(variant: variant, steps: [], end: end)
      guard var beginning else { return }
      if let time = Self.time(beginning, ">=") {
        schedule = RolloutSchedule(variant: variant, steps: [.init(percent: 100, time: time)], end: end)
        return
      }
      if let parts = beginning.argument(of: "and"), parts.count == 2 {
        (beginning, salt) = (parts[1], RolloutSchedule.salt(of: key))
      }
      // If the variant was renamed since, the condition still has its old name.
      guard let sides = beginning.argument(of: "==="), sides.count == 2, let name = sides[1].string,
        let branches = sides[0].argument(of: "if"), branches.count % 2 == 0, branches.count <= 2 * Self.maximumSteps
      else { return nil }
      var steps: [RolloutSchedule.Step] = []
      for index in stride(from: branches.count - 2, through: 0, by: -2) {
        guard let time = Self.time(branches[index], ">="), let percent = percent(branches[index + 1])
        else { return nil }
        steps.append(.init(percent: percent, time: time))
      }
      schedule = RolloutSchedule(variant: name, steps: steps, end: end)
    }

    /// The number of steps that a page can show.
    private static let maximumSteps = 100

    private mutating func percent(_ share: FlagValue) -> Int? {
      switch share {
      case .null: return 0
      case .string: return 100
      default: break
      }
      guard let parts = share.argument(of: "fractional"), let pair = parts.dropLast().last?.elements, pair.count == 2,
        case .int(let percent) = pair[1]
      else { return nil }
      if let text = parts.first?.argument(of: "cat")?.first?.string { salt = text }
      return (0...100).contains(percent) ? Int(percent) : nil
    }

    /// Returns the number that the time is compared with.
    private static func time(_ condition: FlagValue, _ comparison: String) -> Int64? {
      guard let parts = condition.argument(of: comparison), parts.count == 2, case .int(let time) = parts[1],
        parts[0].fields?["var"] == .string("$flagd.timestamp"), (0..<RolloutSchedule.timeLimit).contains(time)
      else { return nil }
      return Int64(time)
    }
  }
}

extension FlagValue {
  var string: String? { if case .string(let text) = self { text } else { nil } }

  /// Returns the operands of an operator, if this is a call of it.
  func argument(of name: String) -> [FlagValue]? {
    guard let fields, fields.count == 1 else { return nil }
    return fields[name]?.elements
  }
}
