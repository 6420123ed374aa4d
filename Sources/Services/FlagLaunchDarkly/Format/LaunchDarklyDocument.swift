import FlagDefinitions
import FlagDomain
import FlagSupport

/// The flags and segments of a document, ready to be evaluated.
struct LaunchDarklyDocument: DefinitionDocument {
  let definitions: Definitions
  let diagnostics: [DocumentDiagnostic]
  /// The numbers of the flags in the order of the document.
  private let order: [Int]

  init(_ text: [UInt8], of file: String?) throws(FlagDocumentError) {
    let reader = try LaunchDarklyReader.read(text, of: file)
    diagnostics = Array(reader.diagnostics.prefix(RuleLimits.diagnostics)).located(in: text, of: file)
    order = reader.order
    definitions = reader.definitions
  }

  init(_ definitions: Definitions, order: [Int]) {
    (self.definitions, self.order, diagnostics) = (definitions, order, [])
  }

  var format: any DefinitionFormat { LaunchDarklyFormat() }

  var listed: [ListedFlag] { order.map { listing(of: $0) } }

  func listing(of key: String) -> ListedFlag? { number(of: key).map { listing(of: $0) } }

  private func listing(of number: Int) -> ListedFlag {
    guard case .part(let flag)? = definitions.flags.entries[number] else {
      var listed = ListedFlag(key: definitions.flags.names[number], variants: [])
      listed.isForClients = !definitions.flags.hidden.contains(number)
      return listed
    }
    var listed = ListedFlag(key: definitions.flags.names[number], variants: flag.listing)
    listed.isForClients = flag.isForClients
    return listed
  }

  private func number(of key: String) -> Int? {
    definitions.flags.names.number(of: key).flatMap { definitions.flags.entries[$0] == nil ? nil : $0 }
  }

  var unitAttributes: Set<String> {
    var names: Set<String> = []
    for case .part(let flag)? in definitions.flags.entries {
      names.formUnion(([flag.otherwise] + flag.rules.map(\.choice)).compactMap(\.unitAttribute))
    }
    return names
  }

  // MARK: Evaluation

  func evaluate(
    _ key: String, in context: EvaluationContext, at seconds: @autoclosure () -> Int64
  ) throws(FlagError) -> FlagAnswer? {
    guard let number = definitions.flags.names.number(of: key) else { return nil }
    return try evaluate(number, in: context)
  }

  func evaluate(
    _ key: FlagKey, in context: EvaluationContext, at moment: Int64?, now: () -> Int64
  ) throws(FlagError) -> FlagAnswer? {
    guard let number = definitions.flags.names.number(of: key.utf8) else { return nil }
    return try evaluate(number, in: context)
  }

  private func evaluate(_ number: Int, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
    switch definitions.flags.entries[number] {
    case nil: return nil
    case .malformed(let reason): throw FlagError(malformed: reason)
    case .part(let flag):
      var evaluation = Evaluation(definitions, for: context.isLaunchDarkly ? try context.readingKinds() : context)
      do throws(Evaluation.Failure) {
        let decision = try evaluation.decide(flag, number: number)
        var answer = try flag.answer(decision)
        answer.isMissingTargetingKey = evaluation.isMissingTargetingKey
        if evaluation.needsBigSegments { answer.metadata[Reason.bigSegmentsStatus] = "NOT_CONFIGURED" }
        return answer
      } catch {
        throw FlagError(error)
      }
    }
  }

  // MARK: Attributes

  /// Returns the names of the attributes that a flag reads, by itself or in flags and segments that it needs.
  func attributes(of key: String) -> Set<String> {
    var names = AttributeNames(definitions: definitions)
    guard let number = definitions.flags.names.number(of: key) else { return [] }
    names.addFlag(number)
    return names.found
  }

  // MARK: Comparing

  /// Returns the keys of the flags whose text, or that of a flag or segment they need, is not in both documents.
  func changedKeys(from older: any DefinitionDocument) -> Set<String> {
    guard let older = older as? LaunchDarklyDocument else { return Set(keys).union(older.keys) }
    let changed = affected(
      by: definitions.flags.changed(since: older.definitions.flags),
      definitions.segments.changed(since: older.definitions.segments))
    var keys: Set<String> = []
    for number in changed.indices where changed[number] && definitions.flags.prints[number] != nil {
      keys.insert(definitions.flags.names[number])
    }
    for number in older.definitions.flags.prints.indices where older.definitions.flags.prints[number] != nil {
      let key = older.definitions.flags.names[number]
      if definitions.flags.print(of: key) == nil { keys.insert(key) }
    }
    return keys
  }

  /// Returns for each flag whether it, or a flag or segment that it needs, is marked.
  private func affected(by flags: [Bool], _ segments: [Bool]) -> [Bool] {
    var (found, segments) = (flags, segments)
    segments.spread { number in definitions.segments.part(number)?.segments ?? [] }
    for number in found.indices where !found[number] {
      found[number] = definitions.flags.part(number)?.segments.contains { segments[$0] } ?? false
    }
    found.spread { number in definitions.flags.part(number)?.prerequisites.map(\.flag) ?? [] }
    return found
  }

  // MARK: Excerpts

  /// The keys of the flags that are malformed, or need a flag or segment that is.
  var brokenKeys: Set<String> {
    let flags = definitions.flags
    let (brokenFlags, brokenSegments) = (flags.malformed, definitions.segments.malformed)
    guard brokenSegments.contains(true) || brokenFlags.contains(true) else { return [] }
    let broken = affected(by: brokenFlags, brokenSegments)
    return Set(broken.indices.filter { broken[$0] && flags.entries[$0] != nil }.map { flags.names[$0] })
  }

  /// Returns a document of some flags, and the flags and segments that they need.
  func excerpt(of keys: Set<String>) -> any DefinitionDocument {
    var excerpt = Excerpt(of: definitions)
    let order = keys.sorted().map { excerpt.flags.names.insert($0) }
    excerpt.fill()
    return LaunchDarklyDocument(Definitions(flags: excerpt.flags, segments: excerpt.segments), order: order)
  }
}

extension LaunchDarklyFlag {
  /// Returns the answer for a decision.
  fileprivate func answer(_ decision: Evaluation.Decision) throws(Evaluation.Failure) -> FlagAnswer {
    let reason: ResolutionReason
    var metadata: [String: FlagValue]
    switch decision.cause {
    case .off: (reason, metadata) = (.disabled, Reason.offMetadata)
    case .target: (reason, metadata) = (.targetingMatch, Reason.targetMetadata)
    case .otherwise:
      reason = decision.isSplit ? .split : isFixed ? .static : .default
      metadata = decision.isInExperiment ? Reason.experimentMetadata : Reason.fallthroughMetadata
      if decision.isInExperiment, let name = otherwise.unitAttribute {
        metadata[FlagAnswer.unitAttributeName] = .string(name)
      }
    case .rule(let index):
      reason = decision.isSplit ? .split : .targetingMatch
      metadata = decision.isInExperiment ? rules[index].experimentMetadata : rules[index].metadata
    case .prerequisite(let index): (reason, metadata) = (.default, prerequisites[index].metadata)
    case .nothingGiven: throw .malformed("expected a variation or a rollout for the context, found neither")
    }
    guard let variation = decision.variation else { return FlagAnswer(nil, reason: reason, metadata: metadata) }
    guard variations.indices.contains(variation) else {
      throw .malformed("expected one of \(variations.count) variations, found the number \(variation)")
    }
    return FlagAnswer(
      variations[variation], variant: String(variation), reason: reason, metadata: metadata,
      isExperiment: decision.isInExperiment)
  }

  /// The numbers of the segments that its rules name.
  fileprivate var segments: [Int] { rules.flatMap { $0.clauses.flatMap(\.segments) } }
}

extension FlagError {
  /// Creates the error of a malformed flag.
  init(malformed reason: String) {
    self.init(.parseError, reason, metadata: Reason.error("MALFORMED_FLAG").metadata)
  }

  fileprivate init(_ failure: Evaluation.Failure) {
    switch failure {
    case .malformed(let reason): self.init(malformed: reason)
    case .tooManySteps: self.init(exceeded: "takes more than \(RuleLimits.steps) steps")
    case .tooManyBytes: self.init(exceeded: "reads more than \(RuleLimits.bytes) bytes")
    case .tooDeep(let levels): self.init(exceeded: "nests prerequisites or segments in more than \(levels) levels")
    }
  }

  private init(exceeded limit: String) {
    self.init(.general, "the flag \(limit)", metadata: Reason.error("EXCEPTION").metadata)
  }
}

/// A collector of the attributes that flags read.
private struct AttributeNames {
  let definitions: Definitions
  private(set) var found: Set<String> = []
  private var flags: Set<Int> = []
  private var segments: Set<Int> = []

  init(definitions: Definitions) { self.definitions = definitions }

  mutating func addFlag(_ number: Int) {
    var waiting = [number]
    while let number = waiting.popLast() {
      guard flags.insert(number).inserted, let flag = definitions.flags.part(number) else { continue }
      for table in flag.targets { found.insert(AttributeReference.key.name(in: table.kind)) }
      add(flag.otherwise)
      for rule in flag.rules {
        add(rule.clauses)
        add(rule.choice)
      }
      waiting += flag.prerequisites.map(\.flag)
      for segment in flag.segments { addSegment(segment) }
    }
  }

  private mutating func addSegment(_ number: Int) {
    var waiting = [number]
    while let number = waiting.popLast() {
      guard segments.insert(number).inserted, let segment = definitions.segments.part(number) else { continue }
      for part in segment.included + segment.excluded { found.insert(AttributeReference.key.name(in: part.kind)) }
      for rule in segment.rules {
        add(rule.clauses)
        if rule.weight != nil { add(rule.bucketer) }
      }
      waiting += segment.segments
    }
  }

  private mutating func add(_ clauses: [Clause]) {
    for clause in clauses {
      if case .success(let attribute) = clause.attribute, !attribute.isKind {
        found.insert(attribute.name(in: clause.kind))
      }
    }
  }

  private mutating func add(_ choice: LaunchDarklyFlag.Choice) {
    if case .rollout(let rollout) = choice { add(rollout.bucketer) }
  }

  private mutating func add(_ bucketer: Bucketer) {
    if case .success(let attribute) = bucketer.attribute { found.insert(attribute.name(in: bucketer.kind)) }
  }
}

extension Definitions.Table {
  /// Returns for each number whether its part is another than in an older table.
  fileprivate func changed(since older: Self) -> [Bool] {
    prints.indices.map { prints[$0] != older.print(of: names[$0]) }
  }

  fileprivate func part(_ number: Int) -> Part? {
    if case .part(let part)? = entries[number] { part } else { nil }
  }

  fileprivate var malformed: [Bool] { entries.map { if case .malformed? = $0 { true } else { false } } }

  fileprivate func part(named name: String) -> (Part, Fingerprint)? {
    guard let number = names.number(of: name), let part = part(number), let print = prints[number] else { return nil }
    return (part, print)
  }
}

extension [Bool] {
  /// Sets what needs something that is set, at one or more removes.
  fileprivate mutating func spread(_ needs: (Int) -> [Int]) {
    var users = [[Int]](repeating: [], count: count)
    for number in indices { for needed in needs(number) { users[needed].append(number) } }
    var waiting = indices.filter { self[$0] }
    while let number = waiting.popLast() {
      for user in users[number] where !self[user] {
        self[user] = true
        waiting.append(user)
      }
    }
  }
}

extension Segment {
  /// The numbers of the segments that its rules name.
  fileprivate var segments: [Int] { rules.flatMap { $0.clauses.flatMap(\.segments) } }
}

extension Clause {
  fileprivate var segments: [Int] {
    if case .isInSegment(let segments) = test { segments } else { [] }
  }
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
      targets: flag.targets, rules: rules, otherwise: flag.otherwise, isForClients: flag.isForClients)
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
