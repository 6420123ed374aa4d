import FlagDefinitions
import FlagDomain
import FlagReview
import TestSupport
import Testing

@Suite("Solving rules at random", .computing)
struct SolvingFuzzTests {
  @Test("If a random user sees a difference, nobody is never the answer, and mostly a user is found", arguments: 0..<4)
  func agreesOnConditions(seed: UInt64) throws {
    var rules = ComparingRules(random: SeededGenerator(seed: seed))
    var (different, found, decided) = (0, 0, 0)
    let rounds = Effort.rounds(8, thorough: 20, long: 10_000)
    for _ in 0..<rounds {
      let rule = rules.rule(levels: 3)
      let change = try Change(from: "\(rule)", to: "\(rules.changed(rule))")
      let effect = change.effect(steps: Effort.rounds(200_000, long: 2_000_000))
      let users = (0..<Effort.rounds(200, thorough: 500, long: 2000)).lazy.map { _ in rules.user() }
      let affected = users.first { change.affects($0) }
      if let affected {
        different += 1
        #expect(effect.affectsUsers != false, "\(change) \(affected)")
      }
      if effect.affectsUsers == true { found += 1 }
      if effect.affectsUsers != nil { decided += 1 }
      for user in effect.examples { #expect(change.affects(user.attributes), "\(user)") }
    }
    #expect(found >= different * 9 / 10 && decided > rounds / 2, "\(different) \(found) \(decided) of \(rounds)")
  }

  @Test("Nor is it for rules that no one would write", arguments: 0..<4)
  func agreesOnNonsense(seed: UInt64) throws {
    var rules = RandomRules(random: SeededGenerator(seed: seed))
    for _ in 0..<Effort.rounds(40, thorough: 100, long: 10_000) {
      let change = try Change(from: "\(rules.rule(levels: 3))", to: "\(rules.rule(levels: 3))")
      let effect = change.effect(steps: Effort.rounds(200_000, long: 2_000_000))
      for _ in 0..<Effort.rounds(50, thorough: 200, long: 500) {
        let context = rules.context()
        guard change.affects(context.attributes) else { continue }
        #expect(effect.affectsUsers != false, "\(change) \(context.attributes)")
        break
      }
    }
  }
}

extension Change {
  /// Whether a user with these attributes gets another outcome, or another error.
  fileprivate func affects(_ attributes: [String: FlagValue]) -> Bool {
    let context = EvaluationContext(attributes: attributes)
    let outcomes = documents.map { stored -> FlagValue? in
      do throws(FlagError) {
        return try stored.document.evaluate("f", in: context, at: 1_800_000_000)?.value ?? "the default"
      } catch {
        return nil
      }
    }
    return outcomes[0] != outcomes[1]
  }
}

/// Makes rules that compare a few attributes with a few constants, and users who have these or others.
private struct ComparingRules {
  var random: SeededGenerator

  private static let names = ["a", "b", "c.d", "targetingKey"]
  private static let texts: [FlagValue] = ["x", "xy", "yx", "", "5", "1.2.0", "2026-01-01", "on"]
  private static let numbers: [FlagValue] = [0, 1, 5, 6, 2.5, -1]
  private static let versions: [FlagValue] = ["1.2.0", "2.0.0-rc.1", "v2", "1.2.9"]
  private static let others: [FlagValue] = [
    .null, true, false, [], ["x"], ["x", "y"], [5], [:], ["d": "x"], "zz", 7, " 5", "y",
  ]

  mutating func rule(levels: Int) -> FlagValue {
    ["if": [condition(levels: levels), result(), condition(levels: levels - 1), result(), result()]]
  }

  /// Returns a rule in which most parts are the same, so that few users see a difference, or none.
  mutating func changed(_ rule: FlagValue) -> FlagValue {
    switch rule {
    case .array(let elements) where !elements.isEmpty:
      var elements = elements
      let index = Int.random(in: elements.indices, using: &random)
      if Int.random(in: 0..<8, using: &random) == 0 { elements.swapAt(0, index) }
      elements[index] = changed(elements[index])
      return .array(elements)
    case .object(let members): return .object(members.mapValues { changed($0) })
    case .string where Self.names.contains(rule.name): return rule
    case .string: return pick(Self.texts + Self.versions)
    case .int, .double: return pick(Self.numbers)
    case .null, .bool, .array: return rule
    }
  }

  private mutating func result() -> FlagValue {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: ["fractional": [["on", 1], ["off", .int(Int128(Int.random(in: 0...9, using: &random)))]]]
    case 1: ["fractional": [["cat": ["salt", ["var": "targetingKey"]]], ["on", 1], [.null, 2]]]
    case 2: variable()
    default: pick(["on", "off", .null, "true"])
    }
  }

  private mutating func condition(levels: Int) -> FlagValue {
    guard levels > 0, Int.random(in: 0..<3, using: &random) > 0 else { return comparison() }
    let operands = (0..<Int.random(in: 1...3, using: &random)).map { _ in condition(levels: levels - 1) }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return ["and": .array(operands)]
    case 1: return ["or": .array(operands)]
    case 2: return ["!": [operands[0]]]
    default: return ["if": .array(operands)]
    }
  }

  private mutating func comparison() -> FlagValue {
    let (text, number) = (pick(Self.texts), pick(Self.numbers))
    let either = Bool.random(using: &random) ? text : number
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: return [pick(["==", "===", "!=", "!=="]).name: [variable(), either]]
    case 2: return [pick(["<", "<=", ">", ">="]).name: [variable(), either]]
    case 3: return ["<=": [pick(Self.numbers), variable(), number]]
    case 4: return ["in": [variable(), [text, pick(Self.texts), number]]]
    case 5: return ["in": [either, variable()]]
    case 6: return [pick(["starts_with", "ends_with"]).name: [variable(), text]]
    case 7: return ["sem_ver": [variable(), pick(["=", "<", ">=", "^", "~"]), pick(Self.versions)]]
    case 8: return variable()
    case 9: return ["==": [variable(), variable()]]
    case 10: return [">": [["+": [variable(), number]], 3]]
    default: return ["!": variable()]
    }
  }

  private mutating func variable() -> FlagValue {
    let name = pick(Self.names.map(FlagValue.string))
    return Int.random(in: 0..<6, using: &random) == 0 ? ["var": [name, pick(Self.texts)]] : ["var": name]
  }

  mutating func user() -> [String: FlagValue] {
    var user: [String: FlagValue] = [:]
    for name in ["a", "b"] where Bool.random(using: &random) { user[name] = value() }
    if Bool.random(using: &random) { user["c"] = ["d": value()] }
    user["targetingKey"] = Int.random(in: 0..<3, using: &random) == 0 ? value() : .string("\(random.next() % 1000)")
    return user
  }

  private mutating func value() -> FlagValue {
    pick([Self.texts, Self.numbers, Self.versions, Self.others].randomElement(using: &random) ?? [])
  }

  private mutating func pick(_ values: [FlagValue]) -> FlagValue { values.randomElement(using: &random) ?? .null }
}

extension FlagValue {
  fileprivate var name: String { if case .string(let text) = self { text } else { "" } }
}
