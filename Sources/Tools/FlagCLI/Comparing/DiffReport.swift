import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagReview
import FlagSupport

/// The report of `diff`: the flags that a change of definitions affects, and the affected users.
struct DiffReport {
  let old: String
  let new: String
  let audience: Audience
  let changes: [Change]

  struct Change {
    let key: String
    let differences: [DefinitionComparison.Difference]
    let rules: RuleDifference
    let effect: ChangeEffect
    /// The attribute whose values the share is broken down by; nil for none.
    let attribute: String?
  }

  /// Whether the change affects any user.
  var hasChanges: Bool { changes.contains { $0.effect.affectsUsers == true } }
  /// Whether it is known of each flag if its change affects any user.
  var isDecided: Bool { changes.allSatisfy { $0.effect.affectsUsers != nil } }

  var exitCode: ExitCode { hasChanges ? .changed : isDecided ? .success : .undecided }
}

extension DiffReport {
  init(
    from old: StoredDefinitions, to new: StoredDefinitions, named names: (old: String, new: String),
    on audience: Audience = Audience(), at seconds: Int64
  ) throws(ToolError) {
    let comparison = try mapError(try DefinitionComparison(from: old, to: new), ToolError.data)
    self.old = names.old
    self.new = names.new
    self.audience = audience
    let effects = comparison.effects(on: audience, at: seconds)
    changes = zip(comparison.changedKeys, effects).map { key, effect in
      let rules = comparison.rules(of: key)
      return Change(
        key: key, differences: comparison.differences(of: key), rules: RuleDifference(old: rules.old, new: rules.new),
        effect: effect, attribute: audience.attribute)
    }
  }

  // MARK: - Text

  var text: String {
    if changes.isEmpty { return "No flag changes.\n" }
    return changes.flatMap(\.lines).text + summary
  }

  private var summary: String {
    let moved = changes.count { $0.effect.affectsUsers == true }
    let flags = changes.count.counted("flag changes", "flags change")
    let undecided = changes.count { $0.effect.affectsUsers == nil }
    let outcome =
      moved > 0 ? "\(moved) of them affecting users" : undecided > 0 ? "" : "with no change for users"
    let parts = [flags, outcome, undecided > 0 ? "\(undecided) of them not decided" : ""]
    return parts.filter { !$0.isEmpty }.joined(separator: ", ") + ".\n" + bound
  }

  /// The note for a run that exceeded its steps; empty if none did.
  private var bound: String {
    let count = changes.count(where: \.effect.isCutShort)
    if count == 0 { return "" }
    return """
      The run's \(audience.steps) steps did not last to ask all \(audience.users.count) users about \(count) of the flags: \
      --steps gives it more.

      """
  }
}

extension DiffReport.Change {
  fileprivate var lines: [String] {
    let title = "\(key.excerpt): \(differences.map(\.words).joined(separator: ", "))"
    // The only move of a known share is said with it: "off → on for everyone".
    let isOne = effect.isExact && effect.moves.count == 1
    var lines = ["\(title): \(isOne ? "\(Self.words(effect.moves[0].words)) for " : "")\(outcome)"]
    lines += effect.moves.filter { _ in !isOne }.map { "  \(Self.words($0.words)): \(amount(of: $0.share))" }
    lines += effect.examples.map { "  \(Self.words($0.words)): for example \(Self.words($0.attributes))" }
    lines += parts
    guard differences.contains(.rule) else { return lines }
    let (old, new) = rules.excerpts
    return lines + ["  rule before: \(old)", "  rule now: \(new)"]
  }

  private static func words(_ outcomes: (old: String, new: String)) -> String {
    "\(outcomes.old.excerpt) → \(outcomes.new.excerpt)"
  }

  private static func words(_ attributes: [String: FlagValue]) -> String {
    attributes.isEmpty ? "a visitor without attributes" : FlagValue.object(attributes).printed.excerpt
  }

  private var parts: [String] {
    guard let attribute else { return [] }
    if effect.isExact { return ["  the same for every \(attribute.excerpt)"] }
    let lines = effect.parts.prefix(Self.maximumParts).map { part in
      "  \(part.words(attribute).excerpt): \(part.moved) of \(part.users.counted("user"))"
    }
    let rest = effect.parts.count - lines.count
    return lines + (rest > 0 ? ["  and \(rest) more values of \(attribute.excerpt)"] : [])
  }

  /// The maximum number of values in text; JSON contains all of them.
  private static let maximumParts = 20

  /// Returns a share as a percentage if it is exact, and otherwise how many of the users who were asked it is.
  private func amount(of share: Double) -> String {
    effect.isExact ? share.percent(2) : "\(effect.count(of: share))"
  }

  private var outcome: String {
    guard let users = effect.users else {
      if effect.share > 0 {
        if effect.share == 1 { return "everyone" }
        let share = effect.share.percent(2)
        return "\(share == effect.share.percent(9) ? "" : "about ")\(share) of users"
      }
      return effect.examples.isEmpty ? "no change for users" : "no change for users with an id"
    }
    if effect.share > 0 {
      return "\(effect.count(of: effect.share)) of your \(users.counted("user")) (\(effect.share.percent(2)))"
    }
    let asked = users > 0 ? "none of your \(users.counted("user"))" : ""
    return switch effect.affectsUsers {
    case true?: users > 0 ? "\(asked), and users like these" : "users like these get another variant"
    case false?: "no change for any user: every case of the rules was tried"
    case nil: "not decided: \(users > 0 ? asked : "the rules could not be solved")"
    }
  }
}

// MARK: - JSON

extension DiffReport {
  var json: FlagValue {
    var members: [String: any FlagAttribute] = [
      "version": 1, "old": old, "new": new, "users": audience.users.count, "steps": audience.steps,
      "hasChanges": hasChanges, "isDecided": isDecided, "flags": changes.map(\.json),
    ]
    if let attribute = audience.attribute { members["by"] = attribute }
    return FlagValue(members)
  }
}

extension DiffReport.Change {
  fileprivate var json: FlagValue {
    var members: [String: any FlagAttribute] = [
      "key": key, "differences": differences.map(\.rawValue), "isExact": effect.isExact, "users": effect.users,
      "isCutShort": effect.isCutShort, "share": effect.share,
      "moves": effect.moves.map { FlagValue(["from": $0.old.json, "to": $0.new.json, "share": $0.share]) },
      "examples": effect.examples.map { user in
        FlagValue(["from": user.old.json, "to": user.new.json, "attributes": FlagValue.object(user.attributes)])
      },
      "affectsUsers": effect.affectsUsers, "rules": rules.json,
    ]
    if attribute != nil { members["parts"] = effect.parts.map(\.json) }
    return FlagValue(members)
  }
}

extension AudiencePart {
  /// Returns the segment of users in words: "plan=free".
  fileprivate func words(_ attribute: String) -> String {
    switch value {
    case .value(.string(let text)) where !text.allSatisfy(\.isWhitespace): "\(attribute)=\(text)"
    case .value(let value): "\(attribute)=\(value)"
    case .none: "no \(attribute)"
    case .others: "other values of \(attribute)"
    }
  }

  fileprivate var json: FlagValue {
    let (kind, found): (String, FlagValue?) =
      switch value {
      case .value(let value): ("value", value)
      case .none: ("none", nil)
      case .others: ("others", nil)
      }
    return FlagValue([
      "kind": kind, "value": found, "users": users, "moved": moved,
    ])
  }
}

extension FlagOutcome {
  fileprivate var json: FlagValue { FlagValue(["kind": kind.rawValue, "variant": variant, "value": value]) }
}

/// A flag's rule before and after a change.
struct RuleDifference {
  /// The rules; nil for a flag without a rule.
  let old: FlagValue?
  let new: FlagValue?

  /// The rules in words, or as JSON if the words are the same; of long ones, the part that differs.
  var excerpts: (old: String, new: String) {
    let words = [old, new].map { $0.map { RuleExplanation.words(ofRule: $0, at: nil) } ?? "none" }
    if words[0] != words[1] { return Self.excerpts(words[0], words[1]) }
    return Self.excerpts(old?.printed ?? words[0], new?.printed ?? words[1])
  }

  var json: FlagValue { FlagValue(["old": old, "new": new]) }

  /// The maximum number of characters before the first one that differs.
  private static let context = 40

  private static func excerpts(_ old: String, _ new: String) -> (old: String, new: String) {
    let texts = [Array(old.unicodeScalars), Array(new.unicodeScalars)]
    let same = zip(texts[0], texts[1]).prefix { $0 == $1 }.count
    let isShort = texts.allSatisfy { $0.count <= String.excerptLength }
    let start = isShort || same <= context ? 0 : same - context
    let excerpts = texts.map { text in
      var rest = String.UnicodeScalarView()
      rest.append(contentsOf: text.dropFirst(start))
      return (start > 0 ? "…" : "") + String(rest).excerpt
    }
    return (excerpts[0], excerpts[1])
  }
}
