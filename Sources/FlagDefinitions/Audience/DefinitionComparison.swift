public import FlagDomain
import FlagJSON

/// Two documents, one of which takes the place of the other: which flags it changes, and for whom.
public struct DefinitionComparison: Sendable {
  /// What of a definition is not as it was.
  public enum Difference: String, Hashable, Sendable {
    /// The flag is new.
    case added
    /// The flag is gone.
    case removed
    /// The flag is malformed before, after or both.
    case malformed
    /// Whether the flag is switched on.
    case state
    /// The variants or their values.
    case variants
    /// The default variant.
    case defaultVariant
    /// The rule, shared rules that it uses included.
    case rule
    /// The metadata, which decides nothing.
    case metadata
  }

  /// The keys of the flags that are not the same in both documents, in order.
  public let changedKeys: [String]

  private let old: Side
  private let new: Side

  private struct Side {
    let document: FlagDocument
    let flags: [String: FlagValue]
    let evaluators: [String: FlagValue]

    init(_ stored: StoredDefinitions) throws(FlagError) {
      document = stored.document
      let fields = try FlagValue.reading(json: stored.text.span).fields ?? [:]
      flags = fields["flags"]?.fields ?? [:]
      evaluators = fields["$evaluators"]?.fields ?? [:]
    }
  }

  /// Creates the comparison.
  ///
  /// - Parameters:
  ///   - old: The document before.
  ///   - new: The document after.
  /// - Throws: A parse error where a document cannot be read.
  public init(from old: StoredDefinitions, to new: StoredDefinitions) throws(FlagError) {
    self.old = try Side(old)
    self.new = try Side(new)
    changedKeys = new.document.changedKeys(from: old.document).sorted()
  }
}

extension DefinitionComparison {
  /// Returns what of a flag's definition is not as it was.
  public func differences(of key: String) -> [Difference] {
    switch (old.document.flags[key], new.document.flags[key]) {
    case (nil, nil): return []
    case (nil, _): return [.added]
    case (_, nil): return [.removed]
    case (.flag(let before), .flag(let after)):
      var rules = RuleComparison.All()
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

  /// Says whom the change of a flag's definition gives another variant, or another value of the same one.
  ///
  /// The shares are exact where they follow from the definitions: where everyone is given the same before and after,
  /// and where splits by users' ids alone decide. Else the users of the audience are asked.
  ///
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - audience: The users.
  ///   - seconds: The time that rules see, in seconds since 1970-01-01 UTC.
  /// - Returns: The users' shares; none where the flag is the same in both documents, or but for its metadata.
  public func estimate(of key: String, among audience: Audience = Audience(), at seconds: Int64) -> AudienceEstimate {
    exactEstimate(of: key, among: audience) ?? sampledEstimate(of: key, among: audience, at: seconds)
  }

  private func exactEstimate(of key: String, among audience: Audience) -> AudienceEstimate? {
    guard differences(of: key).contains(where: { $0 != .metadata }) else {
      return AudienceEstimate(users: nil, moves: [], share: 0)
    }
    guard let before = OutcomeSpread(of: key, in: old.document), let after = OutcomeSpread(of: key, in: new.document),
      audience.hasUnknownIDs || before.isConstant && after.isConstant
    else { return nil }
    return OutcomeSpread.exactMoves(from: before, to: after)
  }

  private func sampledEstimate(of key: String, among audience: Audience, at seconds: Int64) -> AudienceEstimate {
    var assumed = AssumedAttributes()
    for side in [old, new] {
      guard let rule = side.flags.member(key)?.fields?["targeting"] else { continue }
      assumed.collect(from: rule, side.evaluators)
    }
    var counts: [[FlagOutcome]: Int] = [:]
    audience.forEachUser(assumed) { context in
      let outcomes = [old, new].map { $0.document.outcome(of: key, in: context, at: seconds) }
      if outcomes[0] != outcomes[1] { counts[outcomes, default: 0] += 1 }
    }
    let users = Double(audience.users)
    return AudienceEstimate(
      users: audience.users, moves: counts.map { .init(old: $0[0], new: $0[1], share: Double($1) / users) },
      share: Double(counts.values.reduce(0, +)) / users)
  }
}
