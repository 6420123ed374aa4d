import FlagDomain

/// A vendor's flag in the in-house format.
struct ConvertedFlag {
  var variants: [String: FlagValue] = [:]
  var defaultVariant: String?
  var targeting: FlagValue?
  /// Whether its rule has shares, which users get by another hash than the vendor's.
  var hasShares = false

  /// The definition, as a document has it.
  var definition: FlagValue {
    var members: [String: FlagValue] = ["state": "ENABLED", "variants": .object(variants)]
    members["defaultVariant"] = defaultVariant.map(FlagValue.string)
    members["targeting"] = targeting
    return .object(members)
  }

  /// Sets the rule: the first condition that holds decides, and without any the default variant.
  mutating func setRule(_ branches: [(condition: FlagValue?, outcome: FlagValue)]) {
    var parts: [FlagValue] = []
    for (condition, outcome) in branches {
      guard let condition else {
        parts.append(outcome)
        break
      }
      parts += [condition, outcome]
    }
    guard !parts.isEmpty else { return }
    if parts.count.isMultiple(of: 2) { parts.append(.null) }
    targeting = parts.count == 1 ? parts[0] : ["if": .array(parts)]
  }
}

/// A part of a vendor's flag that the in-house format cannot express.
struct Untranslatable: Error {
  let reason: String
}

extension FlagValue {
  /// A rule that reads an attribute.
  static func attribute(_ name: String) -> FlagValue { ["var": .string(name)] }

  /// A rule that holds if all of several hold.
  static func allOf(_ rules: [FlagValue]) -> FlagValue {
    rules.isEmpty ? true : rules.count == 1 ? rules[0] : ["and": .array(rules)]
  }

  /// A rule that holds if one of several holds.
  static func anyOf(_ rules: [FlagValue]) -> FlagValue {
    rules.isEmpty ? false : rules.count == 1 ? rules[0] : ["or": .array(rules)]
  }

  /// A rule that holds if another does not.
  static func not(_ rule: FlagValue) -> FlagValue { ["!": [rule]] }

  /// A rule that chooses a variant by a seed and an attribute.
  static func shares(_ seed: String, by unit: FlagValue, _ shares: [(variant: String, weight: Int)]) -> FlagValue {
    let entries = shares.map { FlagValue.array([.string($0.variant), .int(Int128($0.weight))]) }
    return ["fractional": .array([["cat": [.string(seed), unit]]] + entries)]
  }
}
