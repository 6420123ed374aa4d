import FlagDefinitions
package import FlagDomain

/// The users whom a change of a flag's definition gives another variant, or another value of the same one.
public struct ChangeEffect: Hashable, Sendable {
  /// Users whom a change moves from one outcome to another.
  public struct Move: Hashable, Sendable {
    /// Their outcome before the change.
    public let old: FlagOutcome
    /// Their outcome after the change.
    public let new: FlagOutcome
    /// Their share of all users, from 0 to 1.
    public let share: Double
  }

  /// The number of users who were asked; nil if the shares follow from the definitions, and are exact.
  ///
  /// It is 0 if the audience has no users, or if its steps were used up before any could be asked: then the share is
  /// unknown, and the examples alone show who is affected.
  public let users: Int?
  /// Whether fewer users were asked than the audience has, because its steps did not suffice.
  package let isCutShort: Bool
  /// The users whose outcome changes, the largest group first.
  public let moves: [Move]
  /// The share of users whose outcome changes, from 0 to 1.
  public let share: Double
  /// The users with each value of the audience's attribute, the most common value first.
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
    (self.users, self.isCutShort, self.share, self.parts) = (users, isCutShort, share, parts)
    self.moves = moves.sorted { ($1.share, "\($0.old)", "\($0.new)") < ($0.share, "\($1.old)", "\($1.new)") }
  }

  /// Whether the shares follow from the definitions, and no user was asked.
  ///
  /// They are the shares of very many users: few ids are not distributed evenly.
  public var isExact: Bool { users == nil }

  /// Whether the change affects any user; nil if that is not decided.
  package var affectsUsers: Bool? { share > 0 || !examples.isEmpty ? true : isComplete ? false : nil }

  /// Returns how many of the users who were asked a share is.
  package func count(of share: Double) -> Int { Int((share * Double(users ?? 0)).rounded()) }

  /// Returns the effect with the users that a search found.
  func adding(_ search: AffectedUserSearch.Result) -> Self {
    var effect = self
    effect.isComplete = isExact || search.isComplete
    effect.examples = search.users.filter { user in !moves.contains { $0.old == user.old && $0.new == user.new } }
    return effect
  }
}

extension AffectedUserSearch.Result {
  /// The effect of a change that moves every user alike; nil if it does not, or if that is not known.
  var ofEveryone: ChangeEffect? {
    guard isComplete, !keepsSome, users.count == 1, let user = users.first else { return nil }
    return ChangeEffect(users: nil, moves: [ChangeEffect.Move(old: user.old, new: user.new, share: 1)], share: 1)
  }
}

/// The users with one value of an attribute who were asked.
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
  /// The number of them who were asked.
  package internal(set) var users = 0
  /// The number of them whose outcome changes.
  package internal(set) var moved = 0
}

extension ChangeEffect.Move {
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
