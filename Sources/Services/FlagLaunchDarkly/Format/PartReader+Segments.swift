import FlagDomain

extension PartReader {
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
}
