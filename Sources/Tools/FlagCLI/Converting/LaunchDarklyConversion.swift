import FlagDefinitions
import FlagDomain
import FlagJSON

/// LaunchDarkly's flags in the in-house format.
struct LaunchDarklyConversion {
  private let flags: [String: FlagValue]
  private let values: [String: FlagValue]
  private let segments: [String: FlagValue]

  init(_ document: FlagValue) {
    flags = document["flags"]?.fields ?? [:]
    values = document["flagValues"]?.fields ?? [:]
    segments = document["segments"]?.fields ?? [:]
  }

  func flag(_ key: String) throws(Untranslatable) -> ConvertedFlag {
    var flag = ConvertedFlag()
    guard let members = flags[key] else {
      flag.variants["0"] = values[key]
      flag.defaultVariant = "0"
      return flag
    }
    for (index, value) in (members["variations"]?.elements ?? []).enumerated() { flag.variants[String(index)] = value }
    guard members["on"] == true else {
      flag.defaultVariant = members["offVariation"]?.variation
      return flag
    }
    if members["prerequisites"]?.elements?.isEmpty == false {
      throw Untranslatable(reason: "prerequisites have no equivalent")
    }
    var branches: [(condition: FlagValue?, outcome: FlagValue)] = targets(members)
    for (index, rule) in (members["rules"]?.elements ?? []).enumerated() {
      do throws(Untranslatable) {
        branches.append((try clauses(of: rule, inside: []), try choice(rule, key, members, &flag)))
      } catch {
        throw Untranslatable(reason: "rule \(index + 1): \(error.reason)")
      }
    }
    let otherwise = try choice(members["fallthrough"] ?? .null, key, members, &flag)
    if let name = otherwise.text { flag.defaultVariant = name } else { branches.append((nil, otherwise)) }
    flag.setRule(branches)
    return flag
  }

  /// Returns the conditions on single keys.
  private func targets(_ flag: FlagValue) -> [(condition: FlagValue?, outcome: FlagValue)] {
    let users = flag["targets"]?.elements ?? []
    let all = flag["contextTargets"]?.elements ?? []
    return (all.isEmpty ? users : all).compactMap { target in
      guard let variation = target["variation"]?.variation else { return nil }
      var keys = target["values"] ?? []
      var attribute = FlagValue.attribute("targetingKey")
      if let kind = target["contextKind"]?.filledText, kind != "user" {
        attribute = .attribute("\(kind).key")
      } else if !all.isEmpty {
        keys = users.first { $0["variation"] == target["variation"] }?["values"] ?? []
      }
      return (["in": [attribute, keys]], .string(variation))
    }
  }

  /// Returns a variation, or the shares of several.
  private func choice(
    _ members: FlagValue, _ key: String, _ definition: FlagValue, _ flag: inout ConvertedFlag
  ) throws(Untranslatable) -> FlagValue {
    if let variation = members["variation"]?.variation { return .string(variation) }
    guard let rollout = members["rollout"], let entries = rollout["variations"]?.elements, !entries.isEmpty else {
      throw Untranslatable(reason: "neither a variation nor a rollout")
    }
    var shares: [(variant: String, weight: Int)] = entries.map {
      ($0["variation"]?.variation ?? "0", Int($0["weight"]?.number ?? 0))
    }
    // Rounding may leave a few users, who belong to the last share.
    shares[shares.count - 1].weight += max(0, 100_000 - shares.reduce(0) { $0 + $1.weight })
    let given = shares.filter { $0.weight > 0 }
    if given.count == 1 { return .string(given[0].variant) }
    flag.hasShares = true
    let isExperiment = rollout["kind"] == "experiment"
    let unit = try attribute(
      isExperiment ? "key" : rollout["bucketBy"]?.filledText ?? "key",
      of: rollout["contextKind"]?.filledText ?? "user")
    let seed = rollout["seed"]?.number.map { "\(Int($0))" } ?? "\(key).\(definition["salt"]?.filledText ?? "")"
    return .shares(seed, by: unit, shares)
  }
}

extension FlagValue {
  /// The name of a variation by its number.
  fileprivate var variation: String? { number.map { String(Int($0)) } }

  /// The text of a string; nil for an empty one, or another value.
  fileprivate var filledText: String? { text.flatMap { $0.isEmpty ? nil : $0 } }
}

// MARK: - Clauses

extension LaunchDarklyConversion {
  /// Returns the rule of an attribute, which a path may lead to.
  private func attribute(_ name: String, of kind: String) throws(Untranslatable) -> FlagValue {
    let steps = name.hasPrefix("/") ? name.dropFirst().split(separator: "/").map(String.init) : [name]
    guard !steps.contains(where: { $0.contains(where: { ".~".contains($0) }) }), !kind.contains("."), name != "kind"
    else { throw Untranslatable(reason: "the attribute \(name) has no equivalent") }
    if kind == "user" { return .attribute(steps == ["key"] ? "targetingKey" : steps.joined(separator: ".")) }
    return .attribute(([kind] + steps).joined(separator: "."))
  }

  /// Returns the rule of all clauses; the segments around them are known, so that a circle ends.
  private func clauses(of rule: FlagValue, inside outer: Set<String>) throws(Untranslatable) -> FlagValue {
    var clauses: [FlagValue] = []
    for value in rule["clauses"]?.elements ?? [] { clauses.append(try clause(value, inside: outer)) }
    return .allOf(clauses)
  }

  private func clause(_ clause: FlagValue, inside outer: Set<String>) throws(Untranslatable) -> FlagValue {
    let values = clause["values"]?.elements ?? []
    let isNegated = clause["negate"] == true
    let name = clause["op"]?.filledText ?? ""
    if name == "segmentMatch" {
      var parts: [FlagValue] = []
      for value in values { parts.append(try segment(value.filledText ?? "", inside: outer)) }
      return isNegated ? .not(.anyOf(parts)) : .anyOf(parts)
    }
    let kind = clause["contextKind"]?.filledText ?? "user"
    let attribute = try attribute(clause["attribute"]?.filledText ?? "", of: kind)
    let one = try test(name, values, of: attribute)
    let match = FlagValue.anyOf([one, ["some": [attribute, try test(name, values, of: ["var": ""])]]])
    return isNegated ? .allOf([["!==": [attribute, .null]], .not(match)]) : match
  }

  private func test(
    _ name: String, _ values: [FlagValue], of attribute: FlagValue
  ) throws(Untranslatable) -> FlagValue {
    guard values.allSatisfy(\.isScalar) else {
      throw Untranslatable(reason: "arrays and objects are not compared")
    }
    let orders = ["lessThan": "<", "lessThanOrEqual": "<=", "greaterThan": ">", "greaterThanOrEqual": ">="]
    let versions = ["semVerEqual": "=", "semVerLessThan": "<", "semVerGreaterThan": ">"]
    let texts = ["startsWith": "starts_with", "endsWith": "ends_with"]
    if name == "in" { return ["in": [attribute, .array(values)]] }
    var parts: [FlagValue] = []
    for value in values {
      if let order = orders[name] {
        // Only numbers are ordered: adding nothing to a text makes it another value.
        if value.number != nil {
          parts.append(.allOf([["===": [attribute, ["+": [attribute]]]], [order: [attribute, value]]]))
        }
      } else if let order = versions[name] {
        parts.append(["sem_ver": [attribute, .string(order), value]])
      } else if let function = texts[name] {
        if value.filledText != nil { parts.append([function: [attribute, value]]) }
      } else if name == "contains" {
        if value.filledText != nil { parts.append(["in": [value, attribute]]) }
      } else {
        throw Untranslatable(reason: "the operator \(name) has no equivalent")
      }
    }
    return .anyOf(parts)
  }

  private func segment(_ key: String, inside outer: Set<String>) throws(Untranslatable) -> FlagValue {
    guard let segment = segments[key] else { return false }
    guard !outer.contains(key), outer.count < 20 else { throw Untranslatable(reason: "segments refer to each other") }
    guard segment["unbounded"] != true else {
      throw Untranslatable(reason: "the segment \(key) is not in the document")
    }
    var parts: [FlagValue] = []
    for (name, result) in [("included", true), ("excluded", false)] as [(String, FlagValue)] {
      parts += [["in": [.attribute("targetingKey"), segment.fields?[name] ?? []]], result]
      for others in segment.fields?["\(name)Contexts"]?.elements ?? [] {
        let attribute = try attribute("key", of: others["contextKind"]?.filledText ?? "user")
        parts += [["in": [attribute, others["values"] ?? []]], result]
      }
    }
    for rule in segment["rules"]?.elements ?? [] {
      guard rule["weight"] == nil || rule["weight"] == .null else {
        throw Untranslatable(reason: "the segment \(key) has shares of users")
      }
      parts += [try clauses(of: rule, inside: outer.union([key])), true]
    }
    return ["if": .array(parts + [false])]
  }
}
