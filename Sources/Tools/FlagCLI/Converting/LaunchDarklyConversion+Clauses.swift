import FlagDomain
import FlagJSON

extension LaunchDarklyConversion {
  /// Returns the rule of an attribute, which a path may lead to.
  func attribute(_ name: String, of kind: String) throws(Untranslatable) -> FlagValue {
    let steps = name.hasPrefix("/") ? name.dropFirst().split(separator: "/").map(String.init) : [name]
    guard !steps.contains(where: { $0.contains(where: { ".~".contains($0) }) }), !kind.contains("."), name != "kind"
    else { throw Untranslatable(reason: "the attribute \(name) has no equivalent") }
    if kind == "user" { return .attribute(steps == ["key"] ? "targetingKey" : steps.joined(separator: ".")) }
    return .attribute(([kind] + steps).joined(separator: "."))
  }

  /// Returns the rule of a clause; the segments around it are known, so that a circle ends.
  func clause(_ clause: FlagValue, inside outer: Set<String>) throws(Untranslatable) -> FlagValue {
    let values = clause["values"]?.elements ?? []
    let isNegated = clause["negate"] == true
    let name = clause["op"]?.filledText ?? ""
    if name == "segmentMatch" {
      var parts: [FlagValue] = []
      for value in values { parts.append(try segment(value.filledText ?? "", inside: outer)) }
      let match = parts.isEmpty ? false : FlagValue.anyOf(parts)
      return isNegated ? .not(match) : match
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
    guard values.allSatisfy(\.isComparable) else {
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
    return parts.isEmpty ? false : .anyOf(parts)
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
      var clauses: [FlagValue] = []
      for value in rule["clauses"]?.elements ?? [] { clauses.append(try clause(value, inside: outer.union([key]))) }
      parts += [clauses.isEmpty ? true : .allOf(clauses), true]
    }
    return ["if": .array(parts + [false])]
  }
}
