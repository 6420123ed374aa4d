import FlagConsole
import FlagDomain
import FlagEditing

/// A flag's rule before and after a change.
struct RuleDifference {
  /// The rules; nil for a flag without a rule.
  let old: FlagValue?
  let new: FlagValue?

  /// The rules in words, or as JSON if the words are the same; of long ones, the part that differs.
  var excerpts: (old: String, new: String) {
    let words = [old, new].map { $0.map(RuleExplanation.words) ?? "none" }
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
