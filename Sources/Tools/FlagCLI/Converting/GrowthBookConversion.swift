import FlagDefinitions
import FlagDomain
import FlagJSON

/// GrowthBook's features in the in-house format.
struct GrowthBookConversion {
  private let features: [String: FlagValue]
  private let groups: [String: FlagValue]

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
    rule["meta"]?.elements?.dropFirst(number).first?["key"]?.text ?? String(number)
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
    let seed = rule.fields?["seed"]?.text ?? rule.fields?["key"]?.text ?? key
    return .shares(seed, by: unit(rule), parts)
  }

  private func unit(_ rule: FlagValue) -> FlagValue {
    guard let name = rule["hashAttribute"]?.text, name != "id" else { return .attribute("targetingKey") }
    return .attribute(name)
  }
}

// MARK: - Conditions

extension GrowthBookConversion {
  private func condition(_ value: FlagValue) throws(Untranslatable) -> FlagValue {
    guard let members = value.fields else { throw Untranslatable(reason: "a condition is not an object") }
    var parts: [FlagValue] = []
    for (name, operand) in members.inOrder {
      switch name {
      case "$and": parts += try conditions(operand)
      case "$or": parts.append(.anyOf(try conditions(operand)))
      case "$nor": parts.append(.not(.anyOf(try conditions(operand))))
      case "$not": parts.append(.not(try condition(operand)))
      default:
        guard !name.hasPrefix("$") else { throw Untranslatable(reason: "\(name) has no equivalent") }
        parts.append(try reading(name) { attribute throws(Untranslatable) in try test(operand, of: attribute) })
      }
    }
    return .allOf(parts)
  }

  private func conditions(_ value: FlagValue) throws(Untranslatable) -> [FlagValue] {
    var conditions: [FlagValue] = []
    for value in value.elements ?? [] { conditions.append(try condition(value)) }
    return conditions.isEmpty ? [true] : conditions
  }

  /// Returns a test of an attribute; if GrowthBook names one of the user's own otherwise, that one comes first.
  private func reading(
    _ name: String, _ test: (FlagValue) throws(Untranslatable) -> FlagValue
  ) throws(Untranslatable) -> FlagValue {
    let attribute = FlagValue.attribute(name)
    guard let other = ["id": "targetingKey", "country": "countryCode"][name].map(FlagValue.attribute) else {
      return try test(attribute)
    }
    let isMissing: FlagValue = ["===": [other, .null]]
    return .anyOf([.allOf([.not(isMissing), try test(other)]), .allOf([isMissing, try test(attribute)])])
  }

  private func test(_ operand: FlagValue, of attribute: FlagValue) throws(Untranslatable) -> FlagValue {
    guard let members = operand.fields, !members.isEmpty, members.keys.allSatisfy({ $0.hasPrefix("$") }) else {
      return ["===": [attribute, try comparable(operand)]]
    }
    var parts: [FlagValue] = []
    for (name, operand) in members.inOrder {
      parts.append(try operation(name, operand, of: attribute))
    }
    return .allOf(parts)
  }

  private func operation(
    _ name: String, _ operand: FlagValue, of attribute: FlagValue
  ) throws(Untranslatable) -> FlagValue {
    let operators = [
      "$lt": "<", "$lte": "<=", "$gt": ">", "$gte": ">=", "$veq": "=", "$vne": "!=", "$vlt": "<", "$vlte": "<=",
      "$vgt": ">", "$vgte": ">=",
    ]
    switch name {
    case "$eq": return ["===": [attribute, try comparable(operand)]]
    case "$ne": return ["!==": [attribute, try comparable(operand)]]
    case "$in": return try membership(of: attribute, operand)
    case "$nin": return .not(try membership(of: attribute, operand))
    case "$inGroup": return try membership(of: attribute, group(operand))
    case "$notInGroup": return .not(try membership(of: attribute, group(operand)))
    case "$exists": return [(operand == false ? "===" : "!=="): [attribute, .null]]
    case "$not": return .not(try test(operand, of: attribute))
    case "$lt", "$lte", "$gt", "$gte":
      // Values of other types, and missing ones, have no order.
      let conversion = operand.number == nil ? "cat" : "+"
      return .allOf([
        ["===": [[conversion: [attribute]], attribute]], [operators[name] ?? "": [attribute, try comparable(operand)]],
      ])
    case "$veq", "$vne", "$vlt", "$vlte", "$vgt", "$vgte":
      return ["sem_ver": [attribute, .string(operators[name] ?? ""), operand]]
    default: throw Untranslatable(reason: "\(name) has no equivalent")
    }
  }

  private func comparable(_ value: FlagValue) throws(Untranslatable) -> FlagValue {
    guard value.isScalar else { throw Untranslatable(reason: "arrays and objects are not compared") }
    return value
  }

  /// Returns a test that an attribute, or an element of it, is in a list.
  private func membership(of attribute: FlagValue, _ list: FlagValue) throws(Untranslatable) -> FlagValue {
    guard let elements = list.elements, elements.allSatisfy(\.isScalar) else {
      throw Untranslatable(reason: "a list has arrays or objects, or is none")
    }
    return .anyOf([["in": [attribute, list]], ["some": [attribute, ["in": [["var": ""], list]]]]])
  }

  private func group(_ id: FlagValue) -> FlagValue {
    guard let name = id.text, let group = groups[name] else { return [] }
    return group["type"] == "list" ? group["values"] ?? [] : group
  }
}
