import FlagDomain
import FlagJSON

/// LaunchDarkly's flags in the in-house format.
struct LaunchDarklyConversion: DocumentConversion {
  private let flags: [String: FlagValue]
  private let values: [String: FlagValue]
  let segments: [String: FlagValue]

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
        var clauses: [FlagValue] = []
        for value in rule["clauses"]?.elements ?? [] { clauses.append(try clause(value, inside: [])) }
        branches.append((clauses.isEmpty ? true : .allOf(clauses), try choice(rule, key, members, &flag)))
      } catch {
        throw Untranslatable(reason: "rule \(index + 1): \(error.reason)")
      }
    }
    let otherwise = try choice(members["fallthrough"] ?? .null, key, members, &flag)
    if case .string(let name) = otherwise { flag.defaultVariant = name } else { branches.append((nil, otherwise)) }
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
      if case .string(let kind)? = target["contextKind"], kind != "user", !kind.isEmpty {
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
  var filledText: String? { if case .string(let text) = self, !text.isEmpty { text } else { nil } }
}
