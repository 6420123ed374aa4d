import FlagDefinitions
import FlagDomain
import FlagJSON

/// The shape that a known member has in GrowthBook's documents; any other makes its feature malformed.
///
/// A text is never read as a number, and null is a value only where any is. Members that no table names are ignored.
indirect enum MemberShape: Sendable {
  case text
  /// A text that is not empty: an empty one would stand for the default.
  case name
  case bool
  case number
  /// A text or a number, which only describe something.
  case label
  /// At least one number.
  case numbers
  case range
  case ranges
  case namespace
  case array
  /// An array of objects with members of their own.
  case objects([String: MemberShape])

  /// The members of a feature's rule, besides its value and its condition.
  static let rule: [String: Self] = [
    "id": .text, "key": .name, "seed": .name, "name": .text, "phase": .label, "type": .text, "tracks": .array,
    "parentConditions": .objects(parent), "filters": .objects(filter), "coverage": .number, "range": .range,
    "hashAttribute": .name, "fallbackAttribute": .name, "hashVersion": .number, "disableStickyBucketing": .bool,
    "bucketVersion": .number, "minBucketVersion": .number, "variations": .array, "contextualVariations": .array,
    "contextualBanditRef": .name, "weights": .numbers, "ranges": .ranges, "namespace": .namespace,
    "meta": .objects(["key": .name, "name": .text, "passthrough": .bool]),
  ]

  /// The members of a contextual bandit.
  static let bandit: [String: Self] = [
    "banditVersion": .number, "contexts": .objects(["leafId": .number, "weights": .numbers]),
  ]

  private static let parent: [String: Self] = ["id": .name, "gate": .bool]
  private static let filter: [String: Self] = [
    "attribute": .name, "seed": .name, "hashVersion": .number, "ranges": .ranges,
  ]

  /// Returns whether a value has the shape; the members of objects have shapes of their own.
  fileprivate func fits(_ value: FlagValue) -> Bool {
    switch (self, value) {
    case (.text, .string), (.label, .string), (.label, .int), (.label, .double), (.bool, .bool), (.array, .array),
      (.objects, .array), (.number, .int), (.number, .double):
      true
    case (.name, .string(let text)): !text.isEmpty
    case (.numbers, .array(let elements)): !elements.isEmpty && elements.allSatisfy { $0.number != nil }
    case (.range, .array): value.range != nil
    case (.ranges, .array(let elements)): elements.allSatisfy { $0.range != nil }
    case (.namespace, .array(let parts)):
      parts.count == 3 && parts[0].text?.isEmpty == false && FlagValue.array(Array(parts[1...])).range != nil
    default: false
    }
  }

  fileprivate var description: String {
    switch self {
    case .text: "a string"
    case .name: "a string that is not empty"
    case .bool: "true or false"
    case .number: "a number"
    case .label: "a string or a number"
    case .numbers: "an array of numbers"
    case .range: "an array of two numbers"
    case .ranges: "an array of arrays of two numbers"
    case .namespace: "an array of a name and two numbers"
    case .array: "an array"
    case .objects: "an array of objects"
    }
  }
}

extension PayloadCompiler {
  /// Reports the known members of the current part whose values have another shape.
  mutating func check(_ members: [String: FlagValue], _ shapes: [String: MemberShape]) {
    for (name, value) in members {
      guard let shape = shapes[name] else { continue }
      guard shape.fits(value) else {
        expect(shape.description, at: .member(name), found: value)
        continue
      }
      guard case .objects(let inner) = shape, case .array(let elements) = value else { continue }
      for (index, element) in elements.enumerated() {
        at(.member(name)) { compiler in
          guard case .object(let members) = element else {
            return compiler.expect("an object", at: .element(index), found: element)
          }
          compiler.at(.element(index)) { $0.check(members, inner) }
        }
      }
    }
  }
}
