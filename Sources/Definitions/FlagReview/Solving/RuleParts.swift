import FlagDefinitions
import FlagDomain

/// The parts of a flag's rules before and after a change, with the attributes that they read.
struct RuleParts {
  struct Part {
    let part: RulePart
    let json: FlagValue
    let shape: PartShape
    let bucketing: Bucketing
    /// Whether a hash may decide the result.
    let isSplitting: Bool
  }

  private var parts: [Part] = []
  private var numbers: [String: [Int]] = [:]
  private var constants: [Set<FlagValue>] = []

  /// The maximum size of a rule's parts as JSON; longer rules are not searched for constants.
  private static let maximumBytes = 8 << 20

  /// Collects the parts of rules, and counts a step for each.
  init(of flags: [FlagDefinition], at seconds: Int64, counting work: inout Int) {
    let names = flags.flatMap { $0.variants.map { FlagValue.string($0.name) } }
    for flag in flags {
      let values: [String: FlagValue] = [
        "$flagd.timestamp": .int(Int128(seconds)), "$flagd.flagKey": .string(flag.key),
      ]
      var own: Set<FlagValue> = []
      for part in flag.parts(atMost: Self.maximumBytes) {
        let json = part.json.substituting(values)
        var shape = PartShape(json)
        if shape.kind == .value, !part.isTest { shape = PartShape(.equality, names) }
        own.formUnion(shape.constants)
        for name in part.attributes { numbers[name, default: []].append(parts.count) }
        parts.append(
          Part(
            part: part, json: json, shape: shape, bucketing: flag.bucketing,
            isSplitting: json.splitsUsers))
        work += 1 + shape.constants.count
      }
      constants.append(own)
    }
  }

  /// Returns the parts that read an attribute.
  func reading(_ path: String) -> [Part] { (numbers[path] ?? []).map { parts[$0] } }

  /// Returns the constants that other attributes are compared with, if a part compares these with the attribute.
  func relatedConstants(of path: String) -> [FlagValue] {
    let related = Set(reading(path).flatMap(\.part.attributes)).subtracting([path]).sorted()
    return Array(related.flatMap(reading).flatMap(\.shape.constants).prefix(Self.maximumRelated))
  }

  private static let maximumRelated = 64

  /// The constants that only one of the rules has.
  var changedConstants: Set<FlagValue> {
    constants.count == 2 ? constants[0].symmetricDifference(constants[1]) : []
  }
}
