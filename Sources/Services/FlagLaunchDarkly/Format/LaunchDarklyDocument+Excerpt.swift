import FlagDefinitions
import FlagDomain
import FlagSupport

extension LaunchDarklyDocument {
  /// The keys of the flags that are malformed, or need a flag or segment that is.
  var brokenKeys: Set<String> {
    let (flags, segments) = (definitions.flags, definitions.segments)
    var brokenSegments = segments.malformed
    var brokenFlags = flags.malformed
    guard brokenSegments.contains(true) || brokenFlags.contains(true) else { return [] }
    brokenSegments.spread { number in segments.part(number)?.segments ?? [] }
    for number in brokenFlags.indices where !brokenFlags[number] {
      brokenFlags[number] = flags.part(number)?.segments.contains { brokenSegments[$0] } ?? false
    }
    brokenFlags.spread { number in flags.part(number)?.prerequisites.map(\.flag) ?? [] }
    return Set(brokenFlags.indices.filter { brokenFlags[$0] && flags.entries[$0] != nil }.map { flags.names[$0] })
  }

  /// Returns a document of some flags, and the flags and segments that they need.
  func excerpt(of keys: Set<String>) -> any DefinitionDocument {
    var excerpt = Excerpt(of: definitions)
    let order = keys.sorted().map { excerpt.flags.names.insert($0) }
    excerpt.fill()
    return LaunchDarklyDocument(Definitions(flags: excerpt.flags, segments: excerpt.segments), order: order)
  }
}

extension Definitions.Table {
  fileprivate var malformed: [Bool] { entries.map { if case .malformed? = $0 { true } else { false } } }
}

/// A copier of flags and segments to tables of their own, in which they have other numbers.
private struct Excerpt {
  private let whole: Definitions
  var flags = Definitions.Table<LaunchDarklyFlag>()
  private(set) var segments = Definitions.Table<Segment>()

  init(of whole: Definitions) { self.whole = whole }

  /// Copies the parts whose names are there, and those that they need.
  mutating func fill() {
    var number = 0
    while number < flags.names.count {
      if let (part, print) = whole.flags.part(named: flags.names[number]) {
        flags.set(.part(copy(part)), print, at: number)
      }
      number += 1
    }
    number = 0
    while number < segments.names.count {
      if let (part, print) = whole.segments.part(named: segments.names[number]) {
        segments.set(.part(copy(part)), print, at: number)
      }
      number += 1
    }
    flags.grow()
    segments.grow()
  }

  private mutating func copy(_ flag: LaunchDarklyFlag) -> LaunchDarklyFlag {
    let prerequisites = flag.prerequisites.map { needed in
      LaunchDarklyFlag.Prerequisite(
        key: needed.key, flag: flags.names.insert(needed.key), variation: needed.variation, metadata: needed.metadata)
    }
    let rules = flag.rules.map { rule in
      LaunchDarklyFlag.Rule(
        clauses: copy(rule.clauses), choice: rule.choice, metadata: rule.metadata,
        experimentMetadata: rule.experimentMetadata)
    }
    return LaunchDarklyFlag(
      key: flag.key, isOn: flag.isOn, variations: flag.variations, off: flag.off, prerequisites: prerequisites,
      targets: flag.targets, rules: rules, otherwise: flag.otherwise)
  }

  private mutating func copy(_ segment: Segment) -> Segment {
    let rules = segment.rules.map { rule in
      Segment.Rule(clauses: copy(rule.clauses), weight: rule.weight, bucketer: rule.bucketer)
    }
    return Segment(
      included: segment.included, excluded: segment.excluded, rules: rules, unbounded: segment.unbounded)
  }

  private mutating func copy(_ clauses: [Clause]) -> [Clause] {
    clauses.map { clause in
      guard case .isInSegment(let numbers) = clause.test else { return clause }
      let own = numbers.map { segments.names.insert(whole.segments.names[$0]) }
      return Clause(
        kind: clause.kind, attribute: clause.attribute, isNegated: clause.isNegated, test: .isInSegment(own))
    }
  }
}

extension Definitions.Table {
  fileprivate func part(named name: String) -> (Part, Fingerprint)? {
    guard let number = names.number(of: name), let part = part(number), let print = prints[number] else { return nil }
    return (part, print)
  }
}
