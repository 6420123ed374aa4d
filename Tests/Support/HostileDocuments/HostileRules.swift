import FlagDefinitions
package import FlagDomain
import FlagReview
import FlagSupport

/// Makes documents that ask for as much as their size allows.
///
/// Each nests, doubles, refers and iterates through operators that can, and some have long names, mistakes by the
/// thousand, deep and wide values; all of them are legal JSON of less than 1 MB.
package struct HostileRules {
  private var random: SplitMix64

  /// Creates a maker of documents: of the same ones for the same seed.
  package init(seed: UInt64) { random = SplitMix64(state: seed) }

  /// A document of a few flags, with shared rules.
  package mutating func document() -> FlagValue {
    let evaluators = (0..<Int.random(in: 1...6, using: &random)).map { number in
      ("e\(number)", rule(wraps: 20, evaluators: number == 0 ? ["e0"] : (0..<number).map { "e\($0)" }))
    }
    let flags = (0..<Int.random(in: 1...3, using: &random)).map { number in
      ("f\(number)\(longName(oneIn: 20))", flag(rule(wraps: 25, evaluators: evaluators.map(\.0))))
    }
    return [
      "flags": .object(Dictionary(uniqueKeysWithValues: flags)),
      "$evaluators": .object(Dictionary(uniqueKeysWithValues: evaluators)),
      "metadata": Int.random(in: 0..<20, using: &random) == 0 ? bulk() : ["version": 7],
    ]
  }

  /// A context whose values are as long and as deep as those of a generous server.
  package mutating func context() -> EvaluationContext {
    let deep = (0..<100).reduce(FlagValue.string("end")) { value, _ in .array([value, 1]) }
    return EvaluationContext(attributes: [
      "text": .string(String(repeating: "a", count: 2_000)), "deep": deep, "targetingKey": "ana",
      "list": .array((0..<200).map { .int(Int128($0)) }),
      "object": .object(Dictionary(uniqueKeysWithValues: (0..<50).map { ("k\($0)", .int(Int128($0))) })),
    ])
  }

  private mutating func flag(_ rule: FlagValue) -> FlagValue {
    let targeting: FlagValue = if case .object = rule { rule } else { ["!": [rule]] }
    var members: [String: FlagValue] = [
      "state": "ENABLED", "variants": ["on": true, "off": false], "defaultVariant": "off", "targeting": targeting,
    ]
    switch Int.random(in: 0..<40, using: &random) {
    case 0: members["variants"] = bulk()
    case 1: members["variants"] = ["on": bulk(), "off": []]
    case 2: members["metadata"] = bulk()
    case 3: members["defaultVariant"] = .string("off" + longName(oneIn: 1))
    default: break
    }
    return .object(members)
  }

  /// Nothing, or in one of so many cases a text as long as a good part of a document.
  private mutating func longName(oneIn count: Int) -> String {
    guard Int.random(in: 0..<count, using: &random) == 0 else { return "" }
    // The second one is costly to put into one form, which comparing Swift's strings does.
    return Bool.random(using: &random)
      ? String(repeating: "k", count: 10_000) : String(repeating: "\u{301}\u{323}", count: 120)
  }

  /// A value of many members, or of many levels: as metadata, or as variants, some are mistakes by the thousand.
  private mutating func bulk() -> FlagValue {
    let (name, count) = (longName(oneIn: 4), 5_000)
    func object(_ value: (Int) -> FlagValue) -> FlagValue {
      .object(Dictionary(uniqueKeysWithValues: (0..<count).map { ("m\($0)", value($0)) }))
    }
    return switch Int.random(in: 0..<5, using: &random) {
    case 0: [name + "a": object { .int(Int128($0)) }, "b": 1]
    case 1: object { $0.isMultiple(of: 2) ? .null : "text" }
    case 2: object { .int(Int128($0)) }
    case 3: (0..<240).reduce(.string(name)) { value, level in level.isMultiple(of: 2) ? [value, 1] : ["a": value] }
    default: object { _ in [[1], [:]] }
    }
  }
}

extension HostileRules {
  private mutating func rule(wraps: Int, evaluators: [String]) -> FlagValue {
    let core = leaf(evaluators)
    return (0..<Int.random(in: 1...wraps, using: &random)).reduce(core) { rule, _ in
      wrapped(rule, evaluators)
    }
  }

  private mutating func leaf(_ evaluators: [String]) -> FlagValue {
    switch Int.random(in: 0..<9, using: &random) {
    case 0: ["var": "text"]
    case 1: ["var": "list"]
    case 2: ["var": "deep"]
    case 3: ["var": ""]
    case 4: ["var": "accumulator"]
    case 5: "0123456789abcdef0123456789abcdef"
    case 6: .array(Array(repeating: 1, count: 16))
    case 7: ["var": "object"]
    default: ["$ref": .string(evaluators.randomElement(using: &random) ?? "")]
    }
  }

  /// A rule around another: once, twice, for each element of an array, or again and again on what it made.
  private mutating func wrapped(_ rule: FlagValue, _ evaluators: [String]) -> FlagValue {
    let other = leaf(evaluators)
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return .object([name(Self.unary): [rule]])
    case 1: return .object([name(Self.binary): [rule, other]])
    case 2: return .object([name(Self.binary): [other, rule]])
    case 3: return .object([name(Self.variadic): [other, rule, other]])
    case 4, 5: return doubled(rule)
    case 6: return .object([name(Self.iterating): [rule, other]])
    case 7: return .object([name(Self.iterating): [list(), rule]])
    case 8: return ["reduce": [list(), rule, other]]
    case 9: return ["reduce": [list(), doubled(["var": "accumulator"]), rule]]
    case 10: return .array([rule, other])
    default: return ["if": [other, rule, other]]
    }
  }

  /// A rule twice, one beside the other, or what it makes once and used twice.
  private mutating func doubled(_ rule: FlagValue) -> FlagValue {
    switch Int.random(in: 0..<4, using: &random) {
    // A rule of twice the size at each step would be too large to write down after a few.
    case 0:
      ["reduce": [[1, 1], .object([name(Self.variadic): [["var": "accumulator"], ["var": "accumulator"]]]), rule]]
    case 1: ["map": [[rule], [["var": ""], ["var": ""]]]]
    case 2: ["reduce": [[1, 1, 1, 1, 1, 1, 1, 1], ["var": ""], rule]]
    default: ["map": [[rule], .object([name(Self.variadic): [["var": ""], ["var": ""]]])]]
    }
  }

  private mutating func list() -> FlagValue {
    Bool.random(using: &random) ? ["var": "list"] : .array(Array(repeating: "ab", count: 16))
  }

  private mutating func name(_ names: [String]) -> String { names.randomElement(using: &random) ?? "!" }

  private static let unary = ["!", "!!", "-", "+", "log", "var", "missing", "merge", "cat", "max", "fractional"]
  private static let binary = [
    "==", "===", "!=", "!==", "<", ">", ">=", "in", "starts_with", "ends_with", "substr", "%", "/", "missing_some",
    "var",
  ]
  private static let variadic = [
    "cat", "merge", "+", "*", "max", "min", "and", "or", "sem_ver", "fractional", "<", "<=", "if",
  ]
  private static let iterating = ["map", "filter", "all", "none", "some"]

  /// Every operator that is used.
  package static let operators = Set(unary + binary + variadic + iterating + ["reduce"])
}
