import FlagAnalysis
import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagJSON

/// The share of users that a flag's definition gives each variant, read from the weights of its rule's split.
struct PlannedShares {
  let weights: [String: Double]
  /// Whether the rule also gives variants to users who do not reach the split, whose number it does not say.
  let isPartial: Bool
}

extension PlannedShares {
  /// Reads the shares of a flag from the last of several documents that has it.
  ///
  /// - Throws: An error if there is no such flag, or its rule has no split, several different ones, or computed
  ///   weights.
  init(of flag: String, in documents: [NamedDefinitions]) throws(ToolError) {
    guard let (path, definitions) = documents.defining(flag) else {
      throw .data(AnalysisError(noSuchFlag: flag, among: Set(documents.flatMap(\.definitions.document.keys))))
    }
    let document = try mapError(try FlagValue(json: definitions.text), ToolError.input(path: path))
    let rule = document["flags"]?.fields?[flag]?["targeting"] ?? .null
    let splits = SplitReader(rule, evaluators: document["$evaluators"] ?? .null)
    func error(_ reason: String) -> ToolError {
      .data("\(path): \(flag.excerpt): \(reason), so that its planned shares are unknown: --weights says them")
    }
    if splits.isComputed { throw error("its rule computes the weights of a split") }
    guard let split = splits.shares.first else { throw error("its rule has no split (fractional)") }
    guard splits.shares.count == 1 else {
      let texts = splits.shares.map { shares in
        shares.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
      }
      throw error("its rule has \(texts.count) different splits, \(texts.joined(separator: " and "))")
    }
    (weights, isPartial) = (split, !splits.isWholeRule)
  }
}

/// A reader of all splits of a rule and of the shared rules that it refers to.
private struct SplitReader {
  /// The different splits, each as the share of each variant.
  private(set) var shares: [[String: Double]] = []
  /// Whether weights or variants of a split are computed.
  private(set) var isComputed = false
  /// Whether the rule is nothing but a split.
  let isWholeRule: Bool
  private var names: Set<String> = []

  init(_ rule: FlagValue, evaluators: FlagValue) {
    var root = rule
    while let name = root.reference, let shared = evaluators.fields?[name], names.insert(name).inserted {
      root = shared
    }
    isWholeRule = root["fractional"] != nil
    names = []
    rule.walk { value in
      if let arguments = value["fractional"]?.elements { add(arguments) }
      guard let name = value.reference, names.insert(name).inserted else { return value.parts }
      return value.parts + [evaluators.fields?[name] ?? .null]
    }
  }

  private mutating func add(_ arguments: [FlagValue]) {
    guard let split = WeightedSplit(arguments: arguments) else {
      isComputed = true
      return
    }
    var weights: [String: Double] = [:]
    for entry in split.entries { weights[entry.variant, default: 0] += Double(entry.weight) }
    let sum = weights.values.reduce(0, +)
    let shares = weights.mapValues { sum > 0 ? $0 / sum : 0 }
    if !self.shares.contains(shares) { self.shares.append(shares) }
  }
}

extension FlagValue {
  /// The name of the shared rule that the value refers to.
  fileprivate var reference: String? { self["$ref"]?.text }
}
