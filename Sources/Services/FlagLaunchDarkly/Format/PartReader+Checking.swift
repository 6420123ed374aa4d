import FlagDefinitions
import FlagJSON

/// Finds mistakes that show only at an evaluation, as an error.
extension PartReader {
  /// Warns of numbers of variations that a flag does not have: it is malformed for the contexts that would get them.
  mutating func checkVariations(of flag: LaunchDarklyFlag) {
    let count = flag.variations.count
    func missing(_ numbers: [Int]) -> Int? { numbers.first { !(0..<count).contains($0) } }
    var found: [(number: Int?, at: [DocumentPath.Step])] = [
      (missing(flag.off.map { [$0] } ?? []), [.member("offVariation")]),
      (missing(flag.otherwise.variations), [.member("fallthrough")]),
      (missing(flag.targets.flatMap(\.variations)), [.member("targets")]),
    ]
    for (index, rule) in flag.rules.enumerated() {
      found.append((missing(rule.choice.variations), [.member("rules"), .element(index)]))
    }
    for case (let number?, let place) in found {
      warn("expected a variation that the flag has, of \(count) from 0 on, found \(number)", at: place)
    }
  }

  /// Returns the diagnostics of flags that need each other, of which none can be evaluated while it is on.
  func circles() -> [UnlocatedDiagnostic] {
    var references: [String: [String]] = [:]
    for number in flags.entries.indices {
      guard case .part(let flag)? = flags.entries[number], !flag.prerequisites.isEmpty else { continue }
      references[flags.names[number]] = flag.prerequisites.map { flags.names[$0.flag] }
    }
    return ReferenceOrder(references).circular.sorted().map { key in
      let path = DocumentPath.root.appending("flags").appending(key).appending("prerequisites")
      return UnlocatedDiagnostic(path: path, message: "the flag needs itself, directly or through others")
    }
  }
}

extension LaunchDarklyFlag.Choice {
  /// The numbers of the variations that it gives.
  fileprivate var variations: [Int] {
    switch self {
    case .variation(let number): [number]
    case .rollout(let rollout): rollout.shares.map(\.variation)
    case .none: []
    }
  }
}
