public import FlagDefinitions
public import FlagDomain
import FlagJSON

/// A comparison of two documents, one of which replaces the other: the flags that change, and for which users.
public struct DefinitionComparison: Sendable {
  /// The part of a definition that differs.
  public enum Difference: String, Hashable, Sendable {
    /// The flag is new.
    case added
    /// The flag is removed.
    case removed
    /// The flag is malformed before, after or both.
    case malformed
    /// The state: whether the flag is enabled.
    case state
    /// The variants or their values.
    case variants
    /// The default variant.
    case defaultVariant
    /// The rule, including the shared rules that it uses.
    case rule
    /// The metadata, which affect no answer.
    case metadata
  }

  /// The keys of the flags that differ between the documents, sorted.
  public let changedKeys: [String]

  let old: Side
  let new: Side
  /// The differences of the flags that are not the same, by key.
  private let changes: StringMap<[Difference]>

  struct Side {
    let document: any DefinitionDocument
    let evaluators: [String: FlagValue]
    private let flags: StringMap<FlagValue>

    /// Reads the definitions of some flags, and the shared rules.
    init(_ stored: StoredDefinitions, of keys: StringMap<Void>) throws(FlagError) {
      document = stored.document
      guard document is FlagDocument else {
        (flags, evaluators) = (StringMap(), [:])
        return
      }
      do throws(JSONError) {
        let outline = try DocumentOutline(of: stored.text)
        var flags = StringMap<FlagValue>()
        for flag in outline.flags where keys[flag.key] != nil { flags[flag.key] = outline.value(of: flag) }
        (self.flags, evaluators) = (flags, outline.evaluators)
      } catch {
        throw FlagError(error, in: stored.text)
      }
    }

    func rule(of key: String) -> FlagValue? {
      let rule = flags[key]?.fields?["targeting"]
      return rule == .null || rule == .object([:]) ? nil : rule
    }

    /// Returns a rule with the shared rules that it refers to in place, up to a size.
    func expanded(_ rule: FlagValue?) -> FlagValue? {
      var partsLeft = 10_000
      return rule.map { expanded($0, levels: RuleLimits.levels, &partsLeft) }
    }

    private func expanded(_ rule: FlagValue, levels: Int, _ partsLeft: inout Int) -> FlagValue {
      partsLeft -= 1
      guard partsLeft > 0, levels > 0 else { return rule }
      switch rule {
      case .array(let elements): return .array(elements.map { expanded($0, levels: levels - 1, &partsLeft) })
      case .object(let members):
        if members.count == 1, let name = members["$ref"]?.text, let shared = evaluators.member(name) {
          return expanded(shared, levels: levels - 1, &partsLeft)
        }
        return .object(members.mapValues { expanded($0, levels: levels - 1, &partsLeft) })
      case .null, .bool, .int, .double, .string: return rule
      }
    }
  }

  /// Creates the comparison.
  ///
  /// - Parameters:
  ///   - old: The document before.
  ///   - new: The document after.
  /// - Throws: A parse error if a document cannot be read.
  public init(from old: StoredDefinitions, to new: StoredDefinitions) throws(FlagError) {
    changedKeys = new.document.changedKeyList(from: old.document).sorted()
    let keys = StringMap(changedKeys.map { ($0, ()) })
    let (old, new) = (try Side(old, of: keys), try Side(new, of: keys))
    // Parts that many flags share are compared once.
    var rules = RuleComparison()
    changes = StringMap(changedKeys.map { ($0, Self.differences(of: $0, old.document, new.document, &rules)) })
    (self.old, self.new) = (old, new)
  }

  /// Returns the differences in a flag's definition.
  public func differences(of key: String) -> [Difference] { changes[key] ?? [] }

  /// Returns the differences of all flags that two documents define differently, with their keys.
  ///
  /// Metadata that flags have from their whole documents, such as a name and a version, do not count.
  package static func ownDifferences(
    from old: any DefinitionDocument, to new: any DefinitionDocument
  ) -> [(key: String, differences: [Difference])] {
    var rules = RuleComparison()
    var found: [(key: String, differences: [Difference])] = []
    for key in new.changedKeyList(from: old) {
      var differences = differences(of: key, old, new, &rules)
      if case .flag(let before)? = (old as? FlagDocument)?.flags[key],
        case .flag(let after)? = (new as? FlagDocument)?.flags[key], before.hasSameOwnMetadata(as: after)
      {
        differences.removeAll { $0 == .metadata }
      }
      if !differences.isEmpty { found.append((key, differences)) }
    }
    return found
  }

  private static func differences(
    of key: String, _ old: any DefinitionDocument, _ new: any DefinitionDocument,
    _ rules: inout RuleComparison
  ) -> [Difference] {
    guard let old = old as? FlagDocument, let new = new as? FlagDocument else {
      return differences(between: old.listing(of: key), and: new.listing(of: key))
    }
    switch (old.flags[key], new.flags[key]) {
    case (nil, nil): return []
    case (nil, _): return [.added]
    case (_, nil): return [.removed]
    case (.flag(let before), .flag(let after)):
      let differences: [(Difference, Bool)] = [
        (.state, before.isEnabled != after.isEnabled), (.variants, !before.variants.isIdentical(to: after.variants)),
        (.defaultVariant, (before.defaultVariant ?? "") != (after.defaultVariant ?? "")),
        (.rule, !rules.areSame(before.rule, after.rule)),
        (.metadata, FlagValue.object(before.metadata) != .object(after.metadata)),
      ]
      return differences.filter(\.1).map(\.0)
    default: return [.malformed]
    }
  }

  /// Returns the differences of a flag in documents whose rules are unknown: the rule always counts as different.
  private static func differences(between old: ListedFlag?, and new: ListedFlag?) -> [Difference] {
    switch (old, new) {
    case (nil, nil): return []
    case (nil, _): return [.added]
    case (_, nil): return [.removed]
    case (let old?, let new?):
      func values(_ flag: ListedFlag) -> [FlagValue] { flag.variants.map { .array([.string($0.name), $0.value]) } }
      let changes: [(Difference, Bool)] = [
        (.variants, values(old) != values(new)), (.metadata, old.metadata != new.metadata),
      ]
      return [.rule] + changes.filter(\.1).map(\.0)
    }
  }

  /// Returns the rule before and after of a flag that differs, as JSON; nil if it has no rule.
  ///
  /// If only shared rules differ, they are in place of the references to them.
  package func rules(of key: String) -> (old: FlagValue?, new: FlagValue?) {
    let (before, after) = (old.rule(of: key), new.rule(of: key))
    guard before == after else { return (before, after) }
    return (old.expanded(before), new.expanded(after))
  }

  // MARK: - Affected users

  /// Returns the users whom a flag's change gives another variant, or another value of the same one.
  ///
  /// The shares are exact if they follow from the definitions: if all users get the same value before and the same
  /// after, or if only splits by users' ids decide. Otherwise, the users of the audience are asked. The rules are also
  /// solved, for an example of each kind of user whose outcome changes; no user changes if there is none, and the
  /// effect says that it is complete.
  ///
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - audience: The users, and the maximum number of steps for asking them and for solving the rules.
  ///   - seconds: The time that rules see, in seconds since 1970-01-01 UTC.
  /// - Returns: The effect; no moves if the flag is the same in both documents, except for its metadata.
  public func effect(of key: String, on audience: Audience = Audience(), at seconds: Int64) -> ChangeEffect {
    effects(of: [key], on: audience, at: seconds)[0]
  }

  /// Returns the users whom each of several flags' changes affects, like ``effect(of:on:at:)``.
  ///
  /// The flags share the audience's steps. Each flag gets an equal part, and the next ones get the steps that it does
  /// not use; so the number of users for a flag depends only on the documents and the audience.
  ///
  /// - Parameters:
  ///   - keys: The flags' keys; nil for those that differ between the documents, sorted.
  ///   - audience: The users, and the maximum number of steps for asking them and for solving the rules.
  ///   - seconds: The time that rules see, in seconds since 1970-01-01 UTC.
  /// - Returns: The effects, in the order of the keys.
  package func effects(
    of keys: [String]? = nil, on audience: Audience = Audience(), at seconds: Int64
  ) -> [ChangeEffect] {
    let keys = keys ?? changedKeys
    let limit = min(Self.maximumSearch, audience.steps / (8 * max(1, keys.count)))
    let searches = keys.map { search(for: $0, atMost: limit, at: seconds) }
    let exact = keys.map { exactEffect(of: $0, on: audience) }
    var left = max(0, audience.steps - searches.reduce(0) { $0 + ($1?.work ?? 0) })
    var rest = keys.indices.count { exact[$0] == nil && searches[$0]?.ofEveryone == nil }
    return keys.indices.map { index in
      var effect = exact[index] ?? searches[index]?.ofEveryone
      if effect == nil {
        let asked = AskedUsers(
          audience, of: keys[index], from: old.document, to: new.document, atMost: left / max(1, rest), at: seconds)
        (left, rest) = (max(0, left - asked.work), rest - 1)
        effect = asked.effect(of: audience)
      }
      let known = effect ?? ChangeEffect(users: 0, moves: [], share: 0)
      return searches[index].map(known.adding) ?? known
    }
  }

  /// The maximum number of steps for solving one flag's rules: less than a second in a release build.
  private static let maximumSearch = 2_000_000

  /// Returns the result of solving a flag's rules; nil if they differ in no way that affects users.
  private func search(for key: String, atMost limit: Int, at seconds: Int64) -> AffectedUserSearch.Result? {
    guard differences(of: key).contains(where: { $0 != .metadata }) else { return nil }
    return AffectedUserSearch(of: key, from: old.document, to: new.document, at: seconds, atMost: limit).result()
  }

  private func exactEffect(of key: String, on audience: Audience) -> ChangeEffect? {
    guard differences(of: key).contains(where: { $0 != .metadata }) else {
      var effect = ChangeEffect(users: nil, moves: [], share: 0)
      effect.isComplete = true
      return effect
    }
    guard let before = OutcomeSpread(of: key, in: old.document), let after = OutcomeSpread(of: key, in: new.document),
      audience.hasUnknownIDs || before.isConstant && after.isConstant
    else { return nil }
    return OutcomeSpread.exactMoves(from: before, to: after)
  }
}

extension FlagDefinition {
  /// Returns whether a flag of another document has the same metadata of its own, whatever the documents' are.
  fileprivate func hasSameOwnMetadata(as other: FlagDefinition) -> Bool {
    let (mine, theirs) = (metadata, other.metadata)
    return Set(mine.keys).union(theirs.keys).allSatisfy { name in
      mine[name] == theirs[name] || mine[name] == program.metadata[name] && theirs[name] == other.program.metadata[name]
    }
  }
}
