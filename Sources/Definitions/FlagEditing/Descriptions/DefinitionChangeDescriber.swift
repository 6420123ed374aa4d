package import FlagDomain
import FlagJSON
package import FlagReview

/// The difference of a flag's definition in words: "switched off", "default variant off to on", "variant blue added".
package enum DefinitionChangeDescriber {
  /// Returns the difference, a phrase for each part; empty if nothing differs.
  ///
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - comparison: The comparison of the documents.
  ///   - old: The definition as it was written; nil for a new flag.
  ///   - new: The definition as it is to be written; nil for a removed flag.
  /// - Returns: The phrases.
  /// - Throws: A parse error if a definition is not JSON.
  package static func phrases(
    of key: String, in comparison: DefinitionComparison, _ old: ArraySlice<UInt8>?, _ new: ArraySlice<UInt8>?
  ) throws(FlagError) -> [String] {
    guard let old else { return new == nil ? [] : ["new flag"] }
    guard let new else { return ["flag deleted"] }
    let (before, after) = (try fields(of: old), try fields(of: new))
    var phrases = members(before, after)
    let rules = comparison.rules(of: key)
    if comparison.differences(of: key).contains(.rule) || !isSame(rules.old, rules.new) {
      phrases += RuleChangeDescriber.phrases(from: rules.old, to: rules.new)
    }
    return phrases.isEmpty && old != new ? ["only the way it is written"] : phrases
  }

  /// Returns the difference of two definitions alone, whose shared rules are the same.
  static func phrases(from old: String, to new: String) throws(FlagError) -> [String] {
    let (before, after) = (try fields(of: Array(old.utf8)[...]), try fields(of: Array(new.utf8)[...]))
    func rule(_ fields: [String: FlagValue]) -> FlagValue? {
      fields["targeting"].flatMap { [.null, .object([:])].contains($0) ? FlagValue?.none : $0 }
    }
    return members(before, after) + RuleChangeDescriber.phrases(from: rule(before), to: rule(after))
  }

  private static func fields(of source: ArraySlice<UInt8>) throws(FlagError) -> [String: FlagValue] {
    try FlagValue.reading(json: String(decoding: source, as: UTF8.self)).fields ?? [:]
  }

  private static func members(_ old: [String: FlagValue], _ new: [String: FlagValue]) -> [String] {
    var phrases: [String] = []
    if !isSame(old["state"], new["state"]) { phrases.append(state(old["state"], new["state"])) }
    if !isSame(old["defaultVariant"], new["defaultVariant"]) {
      phrases.append("default variant \(name(old["defaultVariant"])) to \(name(new["defaultVariant"]))")
    }
    phrases += parts("variant", old["variants"], new["variants"]) { RuleDescriber.phrase($0).excerpt }
    phrases += parts("", old["metadata"], new["metadata"]) { RuleDescriber.phrase($0).excerpt }
    let known: Set = ["state", "defaultVariant", "variants", "metadata", "targeting"]
    let others = Set(old.keys).union(new.keys).subtracting(known).sorted()
    return phrases + others.filter { !isSame(old[$0], new[$0]) }.map { "\($0.excerpt) changed" }
  }

  private static func state(_ old: FlagValue?, _ new: FlagValue?) -> String {
    switch new {
    case "ENABLED": "switched on"
    case "DISABLED": "switched off"
    default: "state \(name(old)) to \(name(new))"
    }
  }

  private static func name(_ value: FlagValue?) -> String {
    switch value {
    case nil, .null, .string(""): "none"
    case .string(let text)?: text.excerpt
    case let value?: value.description.excerpt
    }
  }

  /// Returns the differences of the members of two objects.
  private static func parts(
    _ kind: String, _ old: FlagValue?, _ new: FlagValue?, _ words: (FlagValue) -> String
  ) -> [String] {
    let (before, after) = (old?.fields ?? [:], new?.fields ?? [:])
    let prefix = kind.isEmpty ? "" : "\(kind) "
    var phrases: [String] = []
    for name in Set(before.keys).union(after.keys).sorted() {
      switch (before[name], after[name]) {
      case (nil, let value?): phrases.append("\(prefix)\(name.excerpt) added: \(words(value))")
      case (_?, nil): phrases.append("\(prefix)\(name.excerpt) removed")
      case (let value?, let other?) where !value.isIdentical(to: other):
        phrases.append("\(prefix)\(name.excerpt) from \(words(value)) to \(words(other))")
      default: break
      }
    }
    return phrases
  }

  private static func isSame(_ old: FlagValue?, _ new: FlagValue?) -> Bool {
    switch (old, new) {
    case (nil, nil): true
    case (let old?, let new?): old.isIdentical(to: new)
    default: false
    }
  }
}
