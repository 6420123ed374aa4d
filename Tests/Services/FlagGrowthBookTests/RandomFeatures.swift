import FlagDomain
import TestSupport

/// A document that uses all that GrowthBook's format has, and users for it, made by a seed.
struct RandomFeatures {
  private var random: SeededGenerator
  /// Whether some parts have values of another type than the format has there.
  private let isIllTyped: Bool

  init(seed: UInt64, isIllTyped: Bool) {
    random = SeededGenerator(seed: seed)
    self.isIllTyped = isIllTyped
  }
}

// MARK: Choices

extension RandomFeatures {
  private mutating func pick<Value>(_ values: [Value]) -> Value { values[number(values.count)] }
  private mutating func number(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
  private mutating func chance(_ percent: Int) -> Bool { number(100) < percent }
  private mutating func list(upTo count: Int, _ make: (inout Self) -> FlagValue) -> FlagValue {
    .array((0..<number(count + 1)).map { _ in make(&self) })
  }

  /// Returns a value, in an ill-typed document rarely another one.
  private mutating func odd(_ value: FlagValue) -> FlagValue { isIllTyped && chance(3) ? pick(Self.oddities) : value }

  private static let oddities: [FlagValue] = [
    .null, true, false, 0, 1, -1, 1.5, "", "1", "0.5", "a", [], ["a"], [0.2], [["a"]], [.null], [:], ["a": 1],
    ["$gt": 1],
    ["$near": 1], ["id": "list"],
  ]
  private static let scalars: [FlagValue] = [
    "a", "b", "B", "ü", "", "1", "10", "1.2.0", "1.10.0-rc.1", "v2", 0, 1, 1.0, 1.5, 10, -3, 9_007_199_254_740_993,
    9_007_199_254_740_992.0, true, false, .null,
  ]
  private static let values: [FlagValue] = scalars + [[], ["a"], [1, .null, "b"], [:], ["a": 1, "b": [true]]]
  /// The values that a condition compares with; an empty object holds for everyone there, and is an error here.
  private static let literals = values.filter { $0 != [:] }
  private static let names = [
    "id", "country", "score", "word", "version", "tags", "items", "flag", "nested", "nested.a", "nested.list.0",
    "tags.length", "missing",
  ]
  private static let units = ["id", "deviceId", "score", "flag", "tags", "nested.a", "missing"]
  private static let groups = ["list", "typed", "keyed", "condition", "both", "not"]
}

// MARK: Documents

extension RandomFeatures {
  /// Returns a document with so many features.
  mutating func document(of count: Int) -> FlagValue {
    var features: [String: FlagValue] = [:]
    for index in 0..<count {
      let rules = (0...number(3)).map { _ in FlagValue.object(rule(index)) }
      features["f\(index)"] = ["defaultValue": pick(["closed", 0, false, [:]]), "rules": .array(rules)]
    }
    return [
      "features": .object(features), "savedGroups": .object(savedGroups()),
      "contextualBandits": ["x": bandit(), "y": bandit()],
    ]
  }

  private mutating func savedGroups() -> [String: FlagValue] {
    var groups: [String: FlagValue] = [
      "list": odd(list(upTo: 8) { $0.odd($0.pick(Self.scalars)) }),
      "typed": odd(["type": odd("list"), "values": odd(list(upTo: 8) { $0.odd($0.pick(Self.scalars)) })]),
      "keyed": ["type": "list", "attributeKey": odd(.string(pick(Self.names))), "values": odd(["a", 1, 10, true])],
      "condition": ["type": "condition", "condition": odd(.object(test()))],
      "both": ["type": "condition", "condition": ["$and": [reference(to: "keyed"), .object(test())]]],
      "not": ["type": "condition", "condition": ["$not": reference(to: "both")]],
    ]
    if isIllTyped {
      groups["other"] = ["type": "cohort", "values": ["a"]]
      groups["circle"] = ["type": "condition", "condition": ["$or": [reference(to: "circle"), .object(test())]]]
    }
    return groups
  }

  private mutating func reference(to group: String) -> FlagValue {
    var members: [String: FlagValue] = ["id": odd(.string(group))]
    // A list without an attribute of its own needs one.
    if group == "typed" || chance(20) { members["attributeKey"] = odd(.string(pick(Self.names))) }
    return ["$savedGroup": odd(.object(members))]
  }

  private mutating func bandit() -> FlagValue {
    let contexts = list(upTo: 3) { random in
      [
        "leafId": random.odd(.int(Int128(random.number(9)))), "condition": random.odd(.object(random.condition(1))),
        "weights": random.odd(random.pick([[0.5, 0.5], [0.1, 0.9], [0.2, 0.3, 0.5], [1.5, -0.5]])),
      ]
    }
    return odd(["banditVersion": 3, "contexts": odd(contexts)])
  }

  private mutating func rule(_ index: Int) -> [String: FlagValue] {
    var rule: [String: FlagValue] = [:]
    switch number(9) {
    case 0...4: rule["force"] = pick(["open", 1, true, ["a"], .null])
    case 5, 6: rule["variations"] = odd(pick([["A", "B"], [1, 2, 3], ["A"], [], [.null, "B"]]))
    case 7:
      rule["contextualBanditRef"] = odd(.string(pick(["x", "y", "none"])))
      rule["contextualVariations"] = ["A", "B"]
      rule["variations"] = ["C", "D"]
    default: break
    }
    if chance(55) { rule["condition"] = odd(.object(condition(0))) }
    if chance(20) { rule["parentConditions"] = odd(list(upTo: 2) { $0.parent(index) }) }
    if chance(15) { rule["filters"] = odd(list(upTo: 2) { $0.filter() }) }
    let members: [(String, Int, [FlagValue])] = [
      ("coverage", 25, [0, 0.5, 0.123, 1, 2, -1]), ("range", 15, [[0, 0.5], [0.2, 0.8], [0.8, 0.2], [0, 0]]),
      ("ranges", 15, [[[0, 0.2], [0.2, 1]], [[0.5, 1], [0, 0.5]], [[0, 0.1]]]), ("seed", 20, ["s", "ü"]),
      ("weights", 25, [[0.5, 0.5], [0.2, 0.8], [0.1, 0.1], [1.2, -0.2], [0.2, 0.3, 0.5]]), ("key", 40, ["k", "l"]),
      ("hashVersion", 40, [0, 1, 2, 2.0, 3, 1.5]), ("hashAttribute", 40, Self.units.map(FlagValue.string)),
      ("fallbackAttribute", 20, Self.units.map(FlagValue.string)), ("disableStickyBucketing", 20, [true, false]),
      ("bucketVersion", 20, [0, 1, 2]), ("minBucketVersion", 20, [0, 1, 2]), ("id", 30, ["r", ""]),
      ("namespace", 15, [["n", 0, 0.5], ["m", 0.3, 1], ["n", 0.5, 0.1]]),
      (
        "meta", 30,
        [
          [["key": "0", "name": "a"], ["key": "1", "passthrough": false]], [["key": "c"], ["passthrough": true]],
          [["key": "only"]], [],
        ]
      ),
    ]
    for (name, percent, values) in members where chance(percent) { rule[name] = odd(pick(values)) }
    if isIllTyped, chance(2) { rule["unknown"] = pick(Self.oddities) }
    return rule
  }

  /// Returns a condition on a feature that mostly comes before, so that few make a circle.
  private mutating func parent(_ index: Int) -> FlagValue {
    let other = chance(3) || index == 0 ? number(index + 2) : number(index)
    var parent: [String: FlagValue] = ["id": odd(.string("f\(other)"))]
    if chance(90) {
      parent["condition"] = odd(.object(chance(60) ? ["value": odd(pick(Self.literals))] : ["value": test(2)]))
    }
    if chance(40) { parent["gate"] = odd(.bool(chance(60))) }
    return odd(.object(parent))
  }

  private mutating func filter() -> FlagValue {
    var filter: [String: FlagValue] = ["ranges": odd(pick([[[0, 0.5]], [[0, 0.2], [0.6, 1]], []]))]
    if chance(50) { filter["seed"] = odd(.string(pick(["s", "t"]))) }
    if chance(30) { filter["attribute"] = odd(.string(pick(Self.units))) }
    if chance(30) { filter["hashVersion"] = odd(pick([0, 1, 2, 3])) }
    return odd(.object(filter))
  }
}

// MARK: Conditions

extension RandomFeatures {
  private mutating func condition(_ level: Int) -> [String: FlagValue] {
    var condition = test()
    guard level < 3 else { return condition }
    switch number(8) {
    case 0...1:
      condition[pick(["$and", "$or", "$nor"])] = odd(list(upTo: 2) { $0.odd(.object($0.condition(level + 1))) })
    case 2: condition = ["$not": odd(.object(self.condition(level + 1)))]
    case 3:
      condition.merge(
        reference(to: pick(Self.groups.dropFirst() + (isIllTyped ? ["none", "other", "circle"] : []))).fields ?? [:]
      ) { $1 }
    default: break
    }
    if isIllTyped, chance(2) { condition[pick(["$near", "$gt", "$savedGroups"])] = pick(Self.oddities) }
    return condition
  }

  /// Returns a condition with at most one attribute.
  private mutating func test() -> [String: FlagValue] {
    if chance(5) { return [:] }
    return [pick(Self.names): odd(chance(25) ? pick(Self.literals) : test(0))]
  }

  /// Returns operators on a value.
  private mutating func test(_ level: Int) -> FlagValue {
    var test = [String: FlagValue]()
    for _ in 0...(chance(20) ? 1 : 0) {
      let (name, operand) = operation(level)
      test[name] = odd(operand)
    }
    return .object(test)
  }

  private mutating func operation(_ level: Int) -> (String, FlagValue) {
    switch number(level < 3 ? 13 : 8) {
    case 0: (pick(["$eq", "$ne"]), pick(Self.scalars))
    case 1: (pick(["$lt", "$lte", "$gt", "$gte"]), pick(["a", "b", "1", "ü", 0, 1.0, 1.5, 9_007_199_254_740_993]))
    case 2:
      (
        pick(["$veq", "$vne", "$vlt", "$vlte", "$vgt", "$vgte"]),
        pick(["1", "1.2.0", "v1.2.0+b", "1.10.0-rc.1", "1.10.0", "2", 1, 1.5, 10])
      )
    case 3: (pick(["$in", "$nin", "$ini", "$nini"]), list(upTo: 4) { $0.odd($0.pick(Self.scalars)) })
    case 4:
      (pick(["$inGroup", "$notInGroup"]), .string(pick(["list", "typed", "none"] + (isIllTyped ? Self.groups : []))))
    case 5:
      (pick(["$regex", "$regexi", "$notRegex", "$notRegexi"]), .string(pick(["^a", "B$", "[0-9]+", "1\\.", "^$"])))
    case 6: ("$exists", .bool(chance(50)))
    case 7: ("$type", .string(pick(["string", "number", "boolean", "array", "object", "null", "undefined"])))
    case 8: ("$not", test(level + 1))
    case 9: ("$size", chance(50) ? .int(Int128(number(3))) : test(level + 2))
    case 10: (pick(["$all", "$alli"]), list(upTo: 2) { $0.chance(70) ? $0.pick(Self.scalars) : $0.test(level + 2) })
    case 11: ("$elemMatch", test(level + 1))
    default:
      (
        "$elemMatch",
        pick([
          .object(["a": chance(50) ? pick(Self.scalars) : test(level + 2)]),
          ["$or": [["a": 1], ["b": ["$exists": true]]]],
          ["$not": ["$eq": "a"]], reference(to: pick(["keyed", "typed"])),
        ])
      )
    }
  }
}

// MARK: Users

extension RandomFeatures {
  /// Returns the attributes of a user.
  mutating func user() -> [String: FlagValue] {
    var user: [String: FlagValue] = [:]
    if chance(85) { user["id"] = .string("user-\(number(500))") }
    if chance(80) { user["deviceId"] = pick([.int(Int128(number(40))), .string("d\(number(40))é")]) }
    for name in ["country", "word", "version", "score"] where chance(80) { user[name] = pick(Self.scalars) }
    for name in ["flag", "nested.a"] where chance(70) { user[name] = pick(Self.values) }
    if chance(80) { user["tags"] = list(upTo: 3) { $0.pick(Self.scalars) } }
    if chance(70) {
      user["items"] = list(upTo: 2) { $0.chance(60) ? ["a": $0.pick(Self.values)] : $0.pick(Self.values) }
    }
    if chance(70) { user["nested"] = ["a": pick(Self.values), "list": list(upTo: 2) { $0.pick(Self.values) }] }
    return user
  }
}
