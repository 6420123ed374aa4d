import FlagDefinitions
import FlagDomain
import FlagJSON
import FlagPatterns

extension PartReader {
  /// Reads a flag; nil for one that is marked as deleted.
  ///
  /// - Parameters:
  ///   - value: The flag.
  ///   - name: The name under which it stands; its key, unless it has one of its own.
  /// - Returns: The flag.
  /// - Throws: The problem of a part of another shape than expected.
  mutating func flag(_ value: FlagValue, named name: String) throws(Problem) -> LaunchDarklyFlag? {
    guard let members = try members(of: value) else { return nil }
    let key = try self.name("key", of: members) ?? name
    let salt = try text("salt", of: members) ?? ""
    let flag = LaunchDarklyFlag(
      key: key, isOn: try bool("on", of: members), variations: try array("variations", of: members),
      off: try variation("offVariation", of: members, orNull: true),
      prerequisites: try objects("prerequisites", of: members) { reader, members throws(Problem) in
        try reader.prerequisite(members)
      },
      targets: try targets(of: members), rules: try rules(of: members, key: key, salt: salt),
      otherwise: try otherwise(of: members, key: key, salt: salt), isForClients: try isForClients(members))
    checkVariations(of: flag)
    return flag
  }

  /// Returns a flag that has the same value for everyone.
  static func flag(_ value: FlagValue, named name: String) -> LaunchDarklyFlag {
    LaunchDarklyFlag(
      key: name, isOn: true, variations: [value], off: nil, prerequisites: [], targets: [], rules: [],
      otherwise: .variation(0), isForClients: true)
  }

  /// Returns whether apps or pages may have a flag, as they may one that does not say.
  private func isForClients(_ members: Members) throws(Problem) -> Bool {
    guard let availability = try object("clientSideAvailability", of: members) else { return true }
    let isForApps = try bool("usingMobileKey", of: availability)
    let isForPages = try bool("usingEnvironmentId", of: availability)
    return isForApps || isForPages
  }

  /// Returns whether apps or pages may know of a flag that may be malformed: one that says nothing about them, or names
  /// them in a shape that can be read.
  static func mayBeForClients(_ value: FlagValue) -> Bool {
    guard case .object(let members) = value, members["clientSideAvailability"] != nil else { return true }
    do throws(Problem) {
      return try PartReader().isForClients(members)
    } catch {
      return false  // A restriction that cannot be read keeps the flag from clients.
    }
  }

  private mutating func prerequisite(_ members: Members) throws(Problem) -> LaunchDarklyFlag.Prerequisite {
    guard let key = try name("key", of: members) else {
      throw problem(expected: "the key of a flag", found: nil, at: "key")
    }
    return LaunchDarklyFlag.Prerequisite(
      key: key, flag: flags.names.insert(key), variation: try variation("variation", of: members) ?? 0,
      metadata: Reason.prerequisiteFailed(key).metadata)
  }

  private mutating func otherwise(
    of members: Members, key: String, salt: String
  ) throws(Problem) -> LaunchDarklyFlag.Choice {
    guard let members = try object("fallthrough", of: members) else { return .none }
    return try at(.member("fallthrough")) { reader throws(Problem) in
      try reader.choice(members, key: key, salt: salt)
    }
  }

  /// Reads the keys that have variations of their own: those of users, or if there are targets by kind, these.
  ///
  /// A target by kind that is about users has its keys among those of users, with the same variation.
  private mutating func targets(of members: Members) throws(Problem) -> [TargetTable] {
    let users = try objects("targets", of: members) { reader, members throws(Problem) in try reader.target(members) }
    let all = try objects("contextTargets", of: members) { reader, members throws(Problem) in
      try reader.target(members)
    }
    let usersKeys = Dictionary(users.map { ($0.variation, $0.keys) }) { first, _ in first }
    var tables: [(kind: ContextKind, targets: [(order: Int, keys: [FlagValue], variation: Int)])] = []
    var kinds = KeyTable()
    for (order, target) in (all.isEmpty ? users : all).enumerated() {
      var target = target
      if case .user = target.kind, !all.isEmpty { target.keys = usersKeys[target.variation] ?? [] }
      let index = kinds.insert(target.kind.name)
      if index == tables.count { tables.append((target.kind, [])) }
      tables[index].targets.append((order, target.keys, target.variation))
    }
    return tables.map { TargetTable($0.kind, $0.targets) }
  }

  private func target(
    _ members: Members
  ) throws(Problem) -> (kind: ContextKind, keys: [FlagValue], variation: Int) {
    (
      ContextKind(try name("contextKind", of: members)), try keys("values", of: members),
      try variation("variation", of: members) ?? 0
    )
  }

  // MARK: Rules

  private mutating func rules(
    of members: Members, key: String, salt: String
  ) throws(Problem) -> [LaunchDarklyFlag.Rule] {
    var index = 0
    return try objects("rules", of: members) { reader, members throws(Problem) in
      defer { index += 1 }
      let choice = try reader.choice(members, key: key, salt: salt)
      _ = try reader.bool("trackEvents", of: members)
      let metadata = Reason.ruleMatch(index, id: try reader.text("id", of: members)).metadata
      var experimentMetadata: [String: FlagValue] = [:]
      if case .rollout(let rollout) = choice, rollout.isExperiment {
        experimentMetadata = metadata.merging([Reason.inExperiment: true]) { $1 }
        experimentMetadata[FlagAnswer.unitAttributeName] = choice.unitAttribute.map(FlagValue.string)
      }
      return LaunchDarklyFlag.Rule(
        clauses: try reader.clauses(of: members), choice: choice, metadata: metadata,
        experimentMetadata: experimentMetadata)
    }
  }

  private mutating func choice(
    _ members: Members, key: String, salt: String
  ) throws(Problem) -> LaunchDarklyFlag.Choice {
    let rollout = try object("rollout", of: members, orNull: true)
    if let variation = try variation("variation", of: members, orNull: true) { return .variation(variation) }
    guard let rollout else {
      warn("expected a variation or a rollout, found neither")
      return .none
    }
    return try at(.member("rollout")) { reader throws(Problem) in
      let kind = try reader.text("kind", of: rollout) ?? "rollout"
      guard kind == "rollout" || kind == "experiment" else {
        throw reader.problem(expected: "\"rollout\" or \"experiment\"", found: .string(kind), at: "kind")
      }
      let isExperiment = kind == "experiment"
      let shares = try reader.shares(of: rollout)
      let bucketer = try reader.bucketer(
        of: rollout, kind: "contextKind", isByKey: isExperiment, key: key, salt: salt)
      guard !shares.isEmpty else {
        reader.warn("expected variations with their weights, found none")
        return .none
      }
      return .rollout(Rollout(shares: shares, isExperiment: isExperiment, bucketer: bucketer))
    }
  }

  private mutating func shares(of rollout: Members) throws(Problem) -> [Rollout.Share] {
    var end = 0.0
    return try objects("variations", of: rollout) { reader, members throws(Problem) in
      guard let weight = try reader.integer("weight", of: members) else {
        throw reader.problem(expected: "a whole number", found: nil, at: "weight")
      }
      guard let variation = try reader.variation("variation", of: members) else {
        throw reader.problem(expected: "the number of a variation", found: nil, at: "variation")
      }
      end += Double(weight) / 100_000
      return Rollout.Share(
        variation: variation, end: end,
        isUntracked: try reader.bool("untracked", of: members))
    }
  }

  /// Reads the attribute and the seed by which contexts are distributed.
  private func bucketer(
    of members: Members, kind: String, isByKey: Bool = false, key: String, salt: String
  ) throws(Problem) -> Bucketer {
    let kind = try name(kind, of: members)
    let name = try name("bucketBy", of: members)
    return Bucketer(
      ContextKind(kind), by: isByKey ? .success(.key) : name.map { reference($0, kind: kind) } ?? .success(.key),
      seed: try integer("seed", of: members), key: key, salt: salt)
  }

  /// Reads a reference to an attribute; without a kind it is a plain name.
  private func reference(
    _ text: String, kind: String?
  ) -> Result<AttributeReference, AttributeReference.Malformed> {
    Result { () throws(AttributeReference.Malformed) in
      try AttributeReference(text, isLiteral: kind?.isEmpty ?? true)
    }
  }

  // MARK: Segments

  /// Reads a segment, whose key is the name under which it stands, unless it has one; nil for a deleted one.
  mutating func segment(_ value: FlagValue, named name: String) throws(Problem) -> Segment? {
    guard let members = try members(of: value) else { return nil }
    let key = try self.name("key", of: members) ?? name
    let salt = try text("salt", of: members) ?? ""
    let isUnbounded = try bool("unbounded", of: members)
    let unbounded = Segment.Unbounded(
      kind: ContextKind(try self.name("unboundedContextKind", of: members)),
      hasGeneration: try integer("generation", of: members, orNull: true) != nil)
    return Segment(
      included: try keys("included", "includedContexts", of: members),
      excluded: try keys("excluded", "excludedContexts", of: members),
      rules: try objects("rules", of: members) { reader, members throws(Problem) in
        Segment.Rule(
          clauses: try reader.clauses(of: members),
          weight: try reader.integer("weight", of: members, orNull: true).map { Double($0) / 100_000 },
          bucketer: try reader.bucketer(of: members, kind: "rolloutContextKind", key: key, salt: salt))
      }, unbounded: isUnbounded ? unbounded : nil)
  }

  /// Reads the keys of users, and those of contexts by kind.
  private mutating func keys(_ users: String, _ others: String, of members: Members) throws(Problem) -> [Segment.Keys] {
    let users = Segment.Keys(kind: .user, keys: KeyTable(try keys(users, of: members)))
    let others = try objects(others, of: members) { reader, members throws(Problem) in
      Segment.Keys(
        kind: ContextKind(try reader.name("contextKind", of: members)),
        keys: KeyTable(try reader.keys("values", of: members)))
    }
    return (users.keys.count == 0 ? [] : [users]) + others
  }

  // MARK: Clauses

  private mutating func clauses(of members: Members) throws(Problem) -> [Clause] {
    try objects("clauses", of: members) { reader, members throws(Problem) in
      let kind = try reader.name("contextKind", of: members)
      let isNegated = try reader.bool("negate", of: members)
      let clause = Clause(
        kind: ContextKind(kind),
        attribute: reader.reference(try reader.text("attribute", of: members) ?? "", kind: kind),
        isNegated: isNegated, test: try reader.test(of: members, isNegated: isNegated))
      if case (.failure(let error), false) = (clause.attribute, clause.test.isAboutSegments) {
        reader.warn(error.message, at: members["attribute"] == nil ? [] : [.member("attribute")])
      }
      return clause
    }
  }

  private mutating func test(of members: Members, isNegated: Bool) throws(Problem) -> ClauseTest {
    let name = try text("op", of: members) ?? ""
    var values = Values(list: try array("values", of: members), isNegated: isNegated)
    let test: ClauseTest
    switch name {
    case "in": test = .isOneOf(ValueSet(values.list))
    case "startsWith": test = .startsWith(values.texts)
    case "endsWith": test = .endsWith(values.texts)
    case "contains": test = .contains(values.texts)
    case "matches": test = try patterns(of: &values)
    case "lessThan": test = .number(.less, values.numbers)
    case "lessThanOrEqual": test = .number(.lessOrEqual, values.numbers)
    case "greaterThan": test = .number(.greater, values.numbers)
    case "greaterThanOrEqual": test = .number(.greaterOrEqual, values.numbers)
    case "before": test = .date(.less, values.times)
    case "after": test = .date(.greater, values.times)
    case "semVerEqual": test = .version(.equal, values.versions)
    case "semVerLessThan": test = .version(.less, values.versions)
    case "semVerGreaterThan": test = .version(.greater, values.versions)
    case "segmentMatch": test = .isInSegment(values.texts.map { segments.names.insert($0) })
    default:
      try note("expected an operator, found \(name.quoted)", at: [.member("op")], isNegated: isNegated)
      return .never
    }
    for mistake in values.mistakes {
      try note(mistake.message, at: [.member("values"), .element(mistake.index)], isNegated: isNegated)
    }
    return test
  }

  /// Warns of a part that matches no context, as for every SDK of the vendor; in a clause that is negated, everyone
  /// would match, and so it is an error.
  private mutating func note(_ message: String, at place: [DocumentPath.Step], isNegated: Bool) throws(Problem) {
    if isNegated { throw problem(message, at: place) }
    warn("\(message), with which no context matches", at: place)
  }

  /// Compiles patterns; one that is no pattern matches nothing.
  private mutating func patterns(of values: inout Values) throws(Problem) -> ClauseTest {
    var patterns: [Pattern] = []
    for text in values.texts {
      do throws(PatternError) {
        patterns.append(try Pattern(text))
      } catch {
        let message = "expected a regular expression, found \(text.quoted): \(error)"
        if error.code == .syntax {
          try note(message, at: [], isNegated: values.isNegated)
        } else {
          report(message, .error)
          return .unusable("the regular expression \(text.quoted) is not used: \(error)")
        }
      }
    }
    return .matches(patterns)
  }

  // MARK: Checking

  // Finds mistakes that show only at an evaluation, as an error.

  /// Warns of numbers of variations that a flag does not have: it is malformed for the contexts that would get them.
  private mutating func checkVariations(of flag: LaunchDarklyFlag) {
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

/// The values of a clause, as its operator reads them.
private struct Values {
  let list: [FlagValue]
  let isNegated: Bool
  /// The values that the operator compares nothing with.
  private(set) var mistakes: [(index: Int, message: String)] = []

  init(list: [FlagValue], isNegated: Bool) { (self.list, self.isNegated) = (list, isNegated) }

  var texts: [String] {
    mutating get { read("a string that is not empty") { $0.text.flatMap { $0.isEmpty ? nil : $0 } } }
  }
  var numbers: [Double] { mutating get { read("a number", \.number) } }
  var times: [Double] { mutating get { read("a date", \.milliseconds) } }
  var versions: [SemanticVersion] {
    mutating get { read("a version") { $0.text.flatMap { SemanticVersion($0, isLenient: true) } } }
  }

  private mutating func read<Value>(_ expected: String, _ convert: (FlagValue) -> Value?) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(list.count)
    for (index, value) in list.enumerated() {
      if let value = convert(value) {
        values.append(value)
      } else {
        mistakes.append((index, "expected \(expected), found \(value.summary)"))
      }
    }
    return values
  }
}

extension ClauseTest {
  fileprivate var isAboutSegments: Bool { if case .isInSegment = self { true } else { false } }
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
