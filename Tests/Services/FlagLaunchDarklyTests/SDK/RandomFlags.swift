import FlagDomain
import TestSupport

/// Flags, segments and contexts that use all that LaunchDarkly's rules have, made by a seed.
struct RandomFlags {
  private var random: SeededGenerator
  /// The number of flags.
  let count: Int

  init(seed: UInt64, count: Int = 20) {
    random = SeededGenerator(seed: seed)
    self.count = count
  }

  var keys: [String] { (0..<count).map { "flag-\($0)" } }
}

// MARK: Choices

extension RandomFlags {
  private mutating func pick<Value>(_ values: [Value]) -> Value { values[number(values.count)] }
  private mutating func number(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
  private mutating func chance(_ percent: Int) -> Bool { number(100) < percent }
  private mutating func list<Value>(upTo count: Int, _ make: (inout Self) -> Value) -> [Value] {
    (0..<number(count + 1)).map { _ in make(&self) }
  }

  private static let kinds = ["user", "organization", "device"]
  private static let names = ["plan", "age", "tags", "version", "since", "isBeta", "nested", "name"]
  private static let words = ["", "a", "free", "pro", "team-1", "a/b~c", "ü", "pro plan", "2.0.0"]
  private static let versions = ["1", "2.0", "2.0.0", "2.0.1-rc.1", "2.0.0-rc", "2.0.0+build", "02.0.0", "v2", "x"]
  private static let dates = [
    "2017-12-06T00:00:00.000-07:00", "2017-12-06T07:00:00Z", "2017-12-06", "2017-12-06T07:01:01.5Z", "x",
  ]
}

// MARK: Documents

extension RandomFlags {
  /// Returns a document of flags and segments.
  mutating func document() -> FlagValue {
    var flags: [String: FlagValue] = [:]
    var segments: [String: FlagValue] = [:]
    for (index, key) in keys.enumerated() { flags[key] = flag(key, index) }
    for index in 0..<8 { segments["segment-\(index)"] = segment("segment-\(index)", index) }
    return ["flags": .object(flags), "segments": .object(segments)]
  }

  /// Returns a document whose flags only distribute contexts.
  mutating func rollouts() -> FlagValue {
    var flags: [String: FlagValue] = [:]
    for key in keys {
      flags[key] = [
        "key": .string(key), "version": 1, "on": true, "salt": .string("salt-\(number(1000))"),
        "variations": [0, 1, 2, 3], "fallthrough": ["rollout": rollout(of: 4)],
      ]
    }
    return ["flags": .object(flags), "segments": [:]]
  }

  private mutating func flag(_ key: String, _ index: Int) -> FlagValue {
    let count = 1 + number(4)
    var flag: [String: FlagValue] = [
      "key": .string(key), "version": 1, "on": .bool(chance(90)), "salt": .string("salt-\(index)"),
      "variations": .array((0..<count).map { value($0) }), "fallthrough": choice(of: count),
      "rules": .array(list(upTo: 4) { $0.rule(of: count).merged(with: ["id": .string("rule-\($0.number(9))")]) }),
      "targets": .array(list(upTo: 2) { $0.target(of: count) }),
    ]
    if chance(85) { flag["offVariation"] = variation(of: count) }
    if chance(30) {
      flag["contextTargets"] = .array(
        list(upTo: 3) { $0.target(of: count).merged(with: ["contextKind": .string($0.pick(Self.kinds))]) })
    }
    // Mostly of flags that come before, so that few make a circle.
    flag["prerequisites"] = .array(
      list(upTo: 2) { random in
        let other = random.chance(3) || index == 0 ? random.number(random.count + 1) : random.number(index)
        return ["key": .string("flag-\(other)"), "variation": .int(Int128(random.number(2)))]
      })
    return .object(flag)
  }

  private mutating func value(_ index: Int) -> FlagValue {
    switch number(5) {
    case 0: .bool(index == 0)
    case 1: .int(Int128(index))
    case 2: .double(Double(index) + 0.5)
    case 3: ["index": .int(Int128(index)), "list": [1, "two", .null]]
    default: .string("value-\(index)")
    }
  }

  /// Returns a variation, rarely one that there is not.
  private mutating func variation(of count: Int) -> FlagValue {
    .int(Int128(chance(2) ? pick([-1, count]) : number(count)))
  }

  private mutating func target(of count: Int) -> FlagValue {
    ["variation": variation(of: count), "values": .array(list(upTo: 12) { .string("key-\($0.number(60))") })]
  }

  private mutating func choice(of count: Int) -> FlagValue {
    if chance(2) { return [:] }
    return chance(50) ? ["variation": variation(of: count)] : ["rollout": rollout(of: count)]
  }

  private mutating func rule(of count: Int) -> FlagValue {
    choice(of: count).merged(with: ["clauses": .array(list(upTo: 3) { $0.clause() })])
  }

  private mutating func rollout(of count: Int) -> FlagValue {
    var rollout: [String: FlagValue] = [
      "variations": .array(
        (0..<(1 + number(4))).map { _ in
          [
            "variation": .int(Int128(number(count))), "weight": .int(Int128(number(50_000))),
            "untracked": .bool(chance(20)),
          ]
        })
    ]
    if chance(40) { rollout["contextKind"] = .string(pick(Self.kinds)) }
    if chance(40) { rollout["kind"] = .string(pick(["experiment", "rollout"])) }
    if chance(40) { rollout["seed"] = .int(Int128(number(1_000_000))) }
    if chance(40) { rollout["bucketBy"] = .string(pick(["key", "plan", "age", "/nested/plan", "missing", "isBeta"])) }
    return .object(rollout)
  }

  private mutating func segment(_ key: String, _ index: Int) -> FlagValue {
    var segment: [String: FlagValue] = [
      "key": .string(key), "version": 1, "salt": .string("salt-\(index)"),
      "included": .array(list(upTo: 10) { .string("key-\($0.number(60))") }),
      "excluded": .array(list(upTo: 10) { .string("key-\($0.number(60))") }),
      "rules": .array(
        list(upTo: 2) { random in
          var rule: [String: FlagValue] = ["clauses": .array(random.list(upTo: 2) { $0.clause() })]
          if random.chance(40) { rule["weight"] = .int(Int128(random.number(100_001))) }
          if random.chance(30) { rule["bucketBy"] = .string(random.pick(["plan", "age", "/nested/plan"])) }
          if random.chance(30) { rule["rolloutContextKind"] = .string(random.pick(Self.kinds)) }
          return .object(rule)
        }),
    ]
    for name in ["includedContexts", "excludedContexts"] where chance(30) {
      segment[name] = .array(
        list(upTo: 2) { $0.target(of: 1).merged(with: ["contextKind": .string($0.pick(Self.kinds))]) })
    }
    if chance(15) {
      segment["unbounded"] = true
      if chance(80) { segment["generation"] = 1 }
      if chance(30) { segment["unboundedContextKind"] = .string(pick(Self.kinds)) }
    }
    return .object(segment)
  }
}

// MARK: Clauses

extension RandomFlags {
  private mutating func clause() -> FlagValue {
    var clause: [String: FlagValue] = ["negate": .bool(chance(20))]
    if chance(15) {
      let values = list(upTo: 2) { FlagValue.string("segment-\($0.number(9))") }
      return .object(clause.merging(["op": "segmentMatch", "attribute": "", "values": .array(values)]) { $1 })
    }
    let (name, op, values) = comparison()
    (clause["attribute"], clause["op"], clause["values"]) = (.string(name), .string(op), .array(values))
    // To the SDK what cannot be read matches nobody, and negated everybody; here it opens no flag, and is an error.
    if !Self.isReadable(op, values) { clause["negate"] = false }
    if chance(50) { clause["contextKind"] = .string(pick(Self.kinds)) }
    return .object(clause)
  }

  private mutating func comparison() -> (name: String, op: String, values: [FlagValue]) {
    switch number(10) {
    case 0: ("kind", pick(["in", "startsWith", "matches"]), list(upTo: 2) { .string($0.pick(Self.kinds)) })
    case 1: ("key", "in", list(upTo: 20) { .string("key-\($0.number(60))") })
    case 2: ("age", pick(["lessThan", "lessThanOrEqual", "greaterThan", "greaterThanOrEqual", "in"]), numbers())
    case 3: ("since", pick(["before", "after"]), list(upTo: 2) { $0.date() })
    case 4: ("version", pick(["semVerEqual", "semVerLessThan", "semVerGreaterThan"]), texts(Self.versions))
    case 5: (pick(["isBeta", "anonymous"]), "in", [.bool(chance(50))])
    case 6: ("tags", pick(["in", "contains"]), texts(Self.words))
    case 7:
      (pick(["/nested/plan", "/nested/a~1b~0c", "/nested", "/nested//x", "/", "nested"]), "in", texts(Self.words))
    case 8: ("plan", "matches", texts(["^p", "o$", "[a-f]+", "t.*1", "(", "\\d", "(?:free|pro) ?p?"]))
    default:
      (pick(Self.names + ["key"]), pick(["in", "startsWith", "endsWith", "contains", "unknown"]), texts(Self.words))
    }
  }

  /// Whether an operator is known, and can compare with all values.
  private static func isReadable(_ op: String, _ values: [FlagValue]) -> Bool {
    switch op {
    case "unknown": false
    case "lessThan", "lessThanOrEqual", "greaterThan", "greaterThanOrEqual": values.allSatisfy(\.isNumber)
    default: !values.contains { ["(", "02.0.0", "v2", "x", "2017-12-06"].contains($0) }
    }
  }

  private mutating func texts(_ texts: [String]) -> [FlagValue] { list(upTo: 3) { .string($0.pick(texts)) } }

  private mutating func numbers() -> [FlagValue] {
    list(upTo: 2) { $0.pick([.int(Int128($0.number(100))), .double(20.5), "20", true, .null]) }
  }

  private mutating func date() -> FlagValue {
    chance(30) ? .int(1_512_543_600_000 + Int128(number(3) - 1)) : .string(pick(Self.dates))
  }
}

// MARK: Contexts

extension RandomFlags {
  /// Returns a context of one kind or several.
  mutating func context() -> FlagValue {
    if chance(40) { return attributes().merged(with: ["kind": .string(chance(80) ? "user" : pick(Self.kinds))]) }
    var contexts: [String: FlagValue] = [:]
    for kind in Self.kinds where chance(60) { contexts[kind] = attributes() }
    if contexts.isEmpty { contexts["user"] = attributes() }
    contexts["kind"] = "multi"
    return .object(contexts)
  }

  /// Returns a user with a key of its own.
  mutating func user(_ number: Int) -> FlagValue {
    attributes().merged(with: ["kind": "user", "key": .string("user-\(number)")])
  }

  private mutating func attributes() -> FlagValue {
    var attributes: [String: FlagValue] = ["key": .string("key-\(number(60))")]
    if chance(70) { attributes["plan"] = .string(pick(Self.words)) }
    if chance(70) { attributes["age"] = pick([.int(Int128(number(100))), .double(20.5), "20", .null]) }
    if chance(60) { attributes["tags"] = .array(list(upTo: 3) { .string($0.pick(Self.words)) }) }
    if chance(60) { attributes["version"] = .string(pick(Self.versions)) }
    if chance(60) { attributes["since"] = date() }
    if chance(60) { attributes["isBeta"] = .bool(chance(50)) }
    if chance(40) { attributes["anonymous"] = .bool(chance(50)) }
    if chance(40) { attributes["name"] = .string(pick(Self.words)) }
    if chance(60) { attributes["nested"] = ["plan": .string(pick(Self.words)), "a/b~c": .string(pick(Self.words))] }
    return .object(attributes)
  }
}

extension FlagValue {
  fileprivate func merged(with other: FlagValue) -> FlagValue {
    .object((fields ?? [:]).merging(other.fields ?? [:]) { $1 })
  }
}

extension FlagValue {
  fileprivate var isNumber: Bool {
    switch self {
    case .int, .double: true
    default: false
    }
  }
}
