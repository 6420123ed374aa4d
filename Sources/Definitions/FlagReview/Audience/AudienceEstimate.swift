import FlagDefinitions
package import FlagDomain

/// The shares of users that a change of a flag's definition gives another variant or another value.
public struct AudienceEstimate: Hashable, Sendable {
  /// Users that a change moves from one variant to another.
  public struct Move: Hashable, Sendable {
    /// Their outcome before the change.
    public let old: FlagOutcome
    /// Their outcome after the change.
    public let new: FlagOutcome
    /// Their share of all users, from 0 to 1.
    public let share: Double
  }

  /// The number of users that were evaluated; nil if the shares follow from the definitions, and are exact.
  ///
  /// It is 0 if the audience's steps were used up before any user could be evaluated: then the share is unknown.
  public let users: Int?
  /// Whether fewer users were evaluated than the audience has, because its steps did not suffice.
  package let isCutShort: Bool
  /// The users whose outcome changes, the largest group first.
  public let moves: [Move]
  /// The share of users whose outcome changes, from 0 to 1.
  public let share: Double
  /// The share among the users with each value of the audience's attribute, the most common value first.
  ///
  /// It is empty if the share is exact: then it is the same for all values.
  package let parts: [AudiencePart]
  /// Users with changes that are not among the moves, one for each pair of outcomes: found by solving the rules.
  package internal(set) var examples: [AffectedUser] = []
  /// Whether the moves and examples have all pairs of outcomes that any user has.
  ///
  /// It is false if the conditions of the rules could not be solved, or not with the audience's steps.
  package internal(set) var isComplete = false

  init(users: Int?, isCutShort: Bool = false, moves: [Move], share: Double, parts: [AudiencePart] = []) {
    self.parts = parts
    self.users = users
    self.isCutShort = isCutShort
    self.moves = moves.sorted { ($1.share, "\($0.old)", "\($0.new)") < ($0.share, "\($1.old)", "\($1.new)") }
    self.share = share
  }

  /// Whether the shares follow from the definitions, and no user was evaluated.
  ///
  /// They are the shares of very many users: few ids are not distributed evenly.
  public var isExact: Bool { users == nil }

  /// Whether the change affects any user; nil if that is not decided.
  package var affectsUsers: Bool? { share > 0 || !examples.isEmpty ? true : isComplete ? false : nil }

  /// Whether the share is unknown, because no user was evaluated.
  package var isUnknown: Bool { users == 0 }

  /// The standard error of the share; 0 if the share is exact, or if none or all of the evaluated users change.
  ///
  /// If no user was evaluated, it is 0.5, which is the maximum.
  public var standardError: Double {
    users.map { Self.standardError(of: share, among: $0) } ?? 0
  }

  /// The 95 % confidence interval of the share, which is valid even if none or all of the users change (Wilson 1927).
  package var interval: ClosedRange<Double> {
    users.map { Self.interval(of: share, among: $0) } ?? share...share
  }

  fileprivate static func standardError(of share: Double, among users: Int) -> Double {
    users == 0 ? 0.5 : (share * (1 - share) / Double(users)).squareRoot()
  }

  fileprivate static func interval(of share: Double, among users: Int) -> ClosedRange<Double> {
    guard users > 0 else { return 0...1 }
    let (count, z) = (Double(users), 1.959964)
    let scale = 1 / (1 + z * z / count)
    let center = (share + z * z / (2 * count)) * scale
    let spread = z * (share * (1 - share) / count + z * z / (4 * count * count)).squareRoot() * scale
    return min(share, max(0, center - spread))...max(share, min(1, center + spread))
  }
}

/// The evaluated users with one value of an attribute.
package struct AudiencePart: Hashable, Sendable {
  /// The users' value of the attribute.
  package enum Value: Hashable, Sendable {
    /// This value.
    case value(FlagValue)
    /// No such attribute.
    case none
    /// One of the values beyond the maximum number of segments.
    case others
  }

  /// The users' value of the attribute.
  package let value: Value
  /// The number of them that were evaluated.
  package let users: Int
  /// The share of them whose outcome changes, from 0 to 1.
  package let share: Double

  /// The standard error of the share; 0 if none or all of the evaluated users change.
  package var standardError: Double { AudienceEstimate.standardError(of: share, among: users) }
  /// The 95 % confidence interval of the share, which is valid even if none or all of the users change.
  package var interval: ClosedRange<Double> { AudienceEstimate.interval(of: share, among: users) }
}

extension AudienceEstimate {
  /// Adds the users that a search found.
  func adding(_ search: AffectedUserSearch.Result) -> Self {
    var estimate = self
    estimate.isComplete = isExact || search.isComplete
    estimate.examples = search.users.filter { user in !moves.contains { $0.old == user.old && $0.new == user.new } }
    return estimate
  }
}

extension AudienceEstimate.Move {
  /// The outcomes before and after in words; with the values, if only the value of one variant differs.
  package var words: (old: String, new: String) { FlagOutcome.words(from: old, to: new) }
}

extension AffectedUser {
  /// The outcomes before and after in words; with the values, if only the value of one variant differs.
  package var words: (old: String, new: String) { FlagOutcome.words(from: old, to: new) }
}

extension FlagOutcome {
  /// Returns two outcomes in words; with the values, if only the value of one variant differs.
  package static func words(from old: FlagOutcome, to new: FlagOutcome) -> (old: String, new: String) {
    guard "\(old)" == "\(new)", let before = old.value, let after = new.value, before != after else {
      return ("\(old)", "\(new)")
    }
    return ("\(old) = \(before)", "\(new) = \(after)")
  }
}
