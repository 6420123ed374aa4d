import FlagDefinitions
import FlagDomain
import FlagGrowthBook
import FlagLaunchDarkly

/// A flag that can be written in each of the formats.
struct StatedFlag {
  /// An attribute, by a path such as `organization.plan`, that equals a value, or is a list with it.
  struct Condition {
    let path: String
    let value: FlagValue

    init(_ path: String, _ value: FlagValue) { (self.path, self.value) = (path, value) }
  }

  /// The value of those who meet all conditions; the first rule that applies counts.
  let rules: [(conditions: [Condition], value: String)]
  let otherwise: String
  /// The values among which those without a rule are divided by their ids; with none, they have `otherwise`.
  var shares: [String] = []

  init(_ rules: [(conditions: [Condition], value: String)], else otherwise: String, shares: [String] = []) {
    (self.rules, self.otherwise, self.shares) = (rules, otherwise, shares)
  }

  private var values: [String] { rules.map(\.value) + [otherwise] + shares }
}

extension DefinitionFormat {
  /// Returns a document of flags in this format.
  func document(of flags: [String: StatedFlag]) throws -> any DefinitionDocument {
    let text: FlagValue =
      switch name {
      case "growthbook": ["status": 200, "features": .object(flags.mapValues(\.growthBook))]
      case "launchdarkly":
        [
          "flags": .object(Dictionary(uniqueKeysWithValues: flags.map { ($0, $1.launchDarkly($0)) })), "segments": [:],
        ]
      default: ["flags": .object(flags.mapValues(\.inHouse))]
      }
    return try read(Array("\(text)".utf8), of: nil)
  }
}

// MARK: In-house

extension StatedFlag {
  fileprivate var inHouse: FlagValue {
    let names = Set(values).map { ($0, FlagValue.string($0)) }
    let rest: FlagValue =
      shares.isEmpty ? .string(otherwise) : ["fractional": .array(shares.map { [.string($0), 1] })]
    let branches = rules.flatMap { rule -> [FlagValue] in
      [["and": .array([true] + rule.conditions.map(\.inHouse))], .string(rule.value)]
    }
    return [
      "state": "ENABLED", "variants": .object(Dictionary(uniqueKeysWithValues: names)),
      "defaultVariant": .string(otherwise), "targeting": ["if": .array(branches + [rest])],
    ]
  }
}

extension StatedFlag.Condition {
  fileprivate var inHouse: FlagValue {
    let attribute: FlagValue = ["var": .string(path)]
    return path == "segments" ? ["in": [value, attribute]] : ["==": [attribute, value]]
  }
}

// MARK: GrowthBook

extension StatedFlag {
  fileprivate var growthBook: FlagValue {
    var rules = rules.map { rule -> FlagValue in
      ["condition": ["$and": .array(rule.conditions.map(\.growthBook))], "force": .string(rule.value)]
    }
    if !shares.isEmpty { rules.append(["variations": .array(shares.map(FlagValue.string)), "hashVersion": 2]) }
    return ["defaultValue": .string(otherwise), "rules": .array(rules)]
  }
}

extension StatedFlag.Condition {
  fileprivate var growthBook: FlagValue {
    let name = ["targetingKey": "id", "countryCode": "country"][path] ?? path
    return .object([name: path == "segments" ? ["$elemMatch": ["$eq": value]] : value])
  }
}

// MARK: LaunchDarkly

extension StatedFlag {
  fileprivate func launchDarkly(_ key: String) -> FlagValue {
    func variation(_ value: String) -> FlagValue { .int(Int128(values.firstIndex(of: value) ?? 0)) }
    let weight = FlagValue.int(Int128(100_000 / max(1, shares.count)))
    return [
      "key": .string(key), "version": 1, "on": true, "salt": .string(key),
      "variations": .array(values.map(FlagValue.string)),
      "rules": .array(
        rules.enumerated().map { index, rule in
          [
            "id": .string("\(index)"), "variation": variation(rule.value),
            "clauses": .array(rule.conditions.map(\.launchDarkly)),
          ]
        }),
      "fallthrough": shares.isEmpty
        ? ["variation": variation(otherwise)]
        : ["rollout": ["variations": .array(shares.map { ["variation": variation($0), "weight": weight] })]],
    ]
  }
}

extension StatedFlag.Condition {
  fileprivate var launchDarkly: FlagValue {
    let parts = path.split(separator: ".").map(String.init)
    let attribute = parts.count > 1 ? parts[1] : path == "targetingKey" ? "key" : path
    return [
      "contextKind": .string(parts.count > 1 ? parts[0] : "user"), "attribute": .string(attribute), "op": "in",
      "values": [value],
    ]
  }
}
