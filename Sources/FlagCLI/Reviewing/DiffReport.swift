import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagJSON
import Foundation

/// What `diff` says: which flags a change of definitions changes, and for whom.
struct DiffReport {
  let old: String
  let new: String
  let audience: Audience
  let changes: [Change]

  /// What becomes of one flag.
  struct Change {
    let key: String
    let differences: [DefinitionComparison.Difference]
    /// The rule before and after in words; nil where there is none.
    let rules: [String?]
    let estimate: AudienceEstimate
  }

  /// Whether any user is given something else, or one may be, of whom nothing is known.
  var hasChanges: Bool { changes.contains { $0.estimate.share > 0 || $0.estimate.isUnknown } }
}

extension DiffReport {
  /// Compares definitions, for users and at a time.
  init(
    from old: StoredDefinitions, to new: StoredDefinitions, named names: (old: String, new: String),
    among audience: Audience, at seconds: Int64
  ) throws(ToolError) {
    let comparison: DefinitionComparison
    do throws(FlagError) { comparison = try DefinitionComparison(from: old, to: new) } catch { throw .data("\(error)") }
    self.old = names.old
    self.new = names.new
    self.audience = audience
    let estimates = comparison.estimates(among: audience, at: seconds)
    changes = zip(comparison.changedKeys, estimates).map { key, estimate in
      let rules = comparison.rules(of: key)
      return Change(
        key: key, differences: comparison.differences(of: key),
        rules: [rules.old, rules.new].map { $0.map(RuleExplanation.words) }, estimate: estimate)
    }
  }
}

// MARK: - Text

extension DiffReport {
  /// The report for people.
  var text: String {
    if changes.isEmpty { return "No flag changes.\n" }
    return changes.flatMap(\.lines).joined(separator: "\n") + "\n" + summary
  }

  private var summary: String {
    let moved = changes.count { $0.estimate.share > 0 }
    let flags = changes.count == 1 ? "1 flag changes" : "\(changes.count) flags change"
    let unknown = changes.count(where: \.estimate.isUnknown)
    let outcome =
      moved > 0 ? "\(moved) of them for users" : unknown > 0 ? "" : "and no user gets anything else"
    let parts = [flags, outcome, unknown > 0 ? "\(unknown) of them for nobody knows whom" : ""]
    return parts.filter { !$0.isEmpty }.joined(separator: ", ") + ".\n" + bound
  }

  /// What is said where the steps did not last; empty where they did.
  private var bound: String {
    let count = changes.count(where: \.estimate.isCutShort)
    if count == 0 { return "" }
    return """
      The run's \(audience.steps) steps did not last to ask all \(audience.users) users about \(count) of the flags: \
      --steps gives it more.

      """
  }
}

extension DiffReport.Change {
  fileprivate var lines: [String] {
    var lines = ["\(key.excerpt): \(differences.map(\.words).joined(separator: ", ")): \(outcome)"]
    for move in estimate.moves {
      lines.append("  \(move.words.old.excerpt) -> \(move.words.new.excerpt): \(Self.percent(move.share))")
    }
    if differences.contains(.rule) {
      lines += zip(["rule before", "rule now"], rules).map { "  \($0): \(($1 ?? "none").excerpt)" }
    }
    return lines
  }

  private var outcome: String {
    guard let users = estimate.users else {
      return estimate.share == 0 ? "nobody gets anything else" : "\(Self.percent(estimate.share)) of users, exactly"
    }
    if users == 0 { return "nobody was asked, the run's steps are used up" }
    let interval =
      "95 % interval \(Self.percent(estimate.interval.lowerBound)) to "
      + Self.percent(estimate.interval.upperBound)
    guard estimate.share > 0 else { return "none of \(users) users asked, \(interval)" }
    return
      "\(Self.percent(estimate.share)) of users, standard error \(Self.percent(estimate.standardError)), \(interval)"
      + ", \(users) users asked"
  }

  /// Returns a share as a percentage with at most two digits after the point, none of them a zero at the end.
  private static func percent(_ share: Double) -> String {
    let hundredths = Int((share * 10_000).rounded())
    if hundredths == 0, share > 0 { return "below 0.01 %" }
    let digits = hundredths % 100
    let fraction = digits == 0 ? "" : digits % 10 == 0 ? ".\(digits / 10)" : digits < 10 ? ".0\(digits)" : ".\(digits)"
    return "\(hundredths / 100)\(fraction) %"
  }
}

// MARK: - JSON

extension DiffReport {
  /// The report for programs.
  var json: FlagValue {
    [
      "version": 1, "old": .string(old), "new": .string(new), "users": .int(Int128(audience.users)),
      "steps": .int(Int128(audience.steps)), "seed": .int(Int128(audience.seed)), "hasChanges": .bool(hasChanges),
      "flags": .array(changes.map(\.json)),
    ]
  }
}

extension DiffReport.Change {
  fileprivate var json: FlagValue {
    [
      "key": .string(key), "differences": .array(differences.map { .string($0.rawValue) }),
      "isExact": .bool(estimate.isExact), "users": estimate.users.map { .int(Int128($0)) } ?? .null,
      "isCutShort": .bool(estimate.isCutShort), "share": .double(estimate.share),
      "standardError": .double(estimate.standardError),
      "interval": [.double(estimate.interval.lowerBound), .double(estimate.interval.upperBound)],
      "moves": .array(
        estimate.moves.map { ["from": $0.old.json, "to": $0.new.json, "share": .double($0.share)] }),
    ]
  }
}

extension FlagOutcome {
  fileprivate var json: FlagValue {
    ["kind": .string(kind.rawValue), "variant": variant.map { .string($0) } ?? .null, "value": value ?? .null]
  }
}
