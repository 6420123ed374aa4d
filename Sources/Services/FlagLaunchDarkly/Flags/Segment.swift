import FlagDomain

/// A group of contexts: some by their keys, others by rules.
final class Segment: Sendable {
  /// The keys of contexts of one kind.
  struct Keys: Sendable {
    let kind: ContextKind
    let keys: KeyTable
  }

  struct Rule: Sendable {
    let clauses: [Clause]
    /// The share of the contexts that the rule includes; nil for all.
    let weight: Double?
    let bucketer: Bucketer
  }

  /// The kind and state of a segment whose keys are kept elsewhere.
  struct Unbounded: Sendable {
    let kind: ContextKind
    let hasGeneration: Bool
  }

  let included: [Keys]
  let excluded: [Keys]
  let rules: [Rule]
  let unbounded: Unbounded?

  init(included: [Keys], excluded: [Keys], rules: [Rule], unbounded: Unbounded?) {
    self.included = included
    self.excluded = excluded
    self.rules = rules
    self.unbounded = unbounded
  }
}

extension [Segment.Keys] {
  func contains(_ context: EvaluationContext) -> Bool {
    contains { part in context.key(of: part.kind).map { part.keys.number(of: $0) != nil } ?? false }
  }
}
