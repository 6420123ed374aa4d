import FlagDomain
import FlagJSON

/// GrowthBook's features in the in-house format.
struct GrowthBookConversion: DocumentConversion {
  private let features: [String: FlagValue]
  let groups: [String: FlagValue]

  init(_ document: FlagValue) {
    features = document["features"]?.fields ?? [:]
    groups = document["savedGroups"]?.fields ?? [:]
  }

  func flag(_ key: String) throws(Untranslatable) -> ConvertedFlag {
    guard let feature = features[key] else { throw Untranslatable(reason: "an encrypted document is not converted") }
    var flag = ConvertedFlag()
    if let value = feature["defaultValue"], value != .null {
      flag.variants["default"] = value
      flag.defaultVariant = "default"
    }
    var branches: [(condition: FlagValue?, outcome: FlagValue)] = []
    for (index, rule) in (feature["rules"]?.elements ?? []).enumerated() {
      do throws(Untranslatable) {
        if let branch = try branch(rule, index, of: key, &flag) { branches.append(branch) }
      } catch {
        throw Untranslatable(reason: "rule \(index + 1): \(error.reason)")
      }
    }
    flag.setRule(branches)
    return flag
  }

  /// The members of rules that shares cannot express, or that refer to what the document does not have.
  private static let others = [
    "parentConditions", "filters", "namespace", "ranges", "range", "contextualVariations", "contextualBanditRef",
    "fallbackAttribute", "url", "urlPatterns",
  ]

  private func branch(
    _ rule: FlagValue, _ index: Int, of key: String, _ flag: inout ConvertedFlag
  ) throws(Untranslatable) -> (condition: FlagValue?, outcome: FlagValue)? {
    for name in Self.others where rule.fields?[name] != nil {
      throw Untranslatable(reason: "\(name) has no equivalent")
    }
    var conditions: [FlagValue] = []
    if let condition = rule["condition"], condition != .null, condition.fields?.isEmpty != true {
      conditions.append(try self.condition(condition))
    }
    let outcome: FlagValue
    if let value = rule["force"], value != .null {
      let name = "rule-\(index + 1)"
      flag.variants[name] = value
      outcome = .string(name)
      if let coverage = rule["coverage"]?.number, coverage < 1 {
        conditions += share(rule, key, [(name, coverage)])
        flag.hasShares = true
      }
    } else if let values = rule["variations"]?.elements, !values.isEmpty {
      let shares = shares(rule, of: values.count)
      for (share, value) in zip(shares, values) { flag.variants[share.0] = value }
      conditions += share(rule, key, shares)
      outcome = split(rule, key, shares)
      flag.hasShares = true
    } else {
      return nil
    }
    return (conditions.isEmpty ? nil : .allOf(conditions), outcome)
  }

  private func shares(_ rule: FlagValue, of count: Int) -> [(String, Double)] {
    let weights = rule["weights"]?.elements?.compactMap(\.number) ?? []
    let coverage = min(1, max(0, rule["coverage"]?.number ?? 1))
    return (0..<count).map { number in
      (name(number, rule), (weights.count == count ? weights[number] : 1 / Double(count)) * coverage)
    }
  }

  private func name(_ number: Int, _ rule: FlagValue) -> String {
    if case .string(let name)? = rule["meta"]?.elements?.dropFirst(number).first?["key"] { return name }
    return String(number)
  }

  /// Returns the conditions under which a user has a share at all.
  private func share(_ rule: FlagValue, _ key: String, _ shares: [(String, Double)]) -> [FlagValue] {
    let hasUnit: FlagValue = ["!!": [unit(rule)]]
    let isPartial = shares.reduce(0) { $0 + $1.1 } < 0.99999
    return [hasUnit] + (isPartial ? [["!==": [split(rule, key, shares), ""]]] : [])
  }

  private func split(_ rule: FlagValue, _ key: String, _ shares: [(String, Double)]) -> FlagValue {
    let rest = 1 - shares.reduce(0) { $0 + $1.1 }
    let parts = (shares + (rest > 0.00001 ? [("", rest)] : [])).map { ($0.0, Int(($0.1 * 100_000).rounded())) }
    var seed = key
    for name in ["key", "seed"] { if case .string(let text)? = rule.fields?[name] { seed = text } }
    return .shares(seed, by: unit(rule), parts)
  }

  private func unit(_ rule: FlagValue) -> FlagValue {
    guard case .string(let name)? = rule["hashAttribute"], name != "id" else { return .attribute("targetingKey") }
    return .attribute(name)
  }
}
