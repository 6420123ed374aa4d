import FlagDefinitions
import FlagDomain
import FlagJSON

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
      otherwise: .variation(0))
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
    var tables: [TargetTable] = []
    var kinds = KeyTable()
    for (order, target) in (all.isEmpty ? users : all).enumerated() {
      var target = target
      if case .user = target.kind, !all.isEmpty { target.keys = usersKeys[target.variation] ?? [] }
      let index = kinds.insert(target.kind.name)
      if index == tables.count { tables.append(TargetTable(target.kind)) }
      tables[index].add(target.keys, order: order, variation: target.variation)
    }
    return tables
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
  func bucketer(
    of members: Members, kind: String, isByKey: Bool = false, key: String, salt: String
  ) throws(Problem) -> Bucketer {
    let kind = try name(kind, of: members)
    let name = try name("bucketBy", of: members)
    return Bucketer(
      ContextKind(kind), by: isByKey ? .success(.key) : name.map { reference($0, kind: kind) } ?? .success(.key),
      seed: try integer("seed", of: members), key: key, salt: salt)
  }

  /// Reads a reference to an attribute; without a kind it is a plain name.
  func reference(
    _ text: String, kind: String?
  ) -> Result<AttributeReference, AttributeReference.Malformed> {
    Result { () throws(AttributeReference.Malformed) in
      try AttributeReference(text, isLiteral: kind?.isEmpty ?? true)
    }
  }
}
