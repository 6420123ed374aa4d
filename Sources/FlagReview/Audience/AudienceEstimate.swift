import FlagDefinitions
public import FlagDomain

/// What a definition gives a user.
public struct FlagOutcome: Hashable, Sendable {
  /// What kind of answer it is.
  public enum Kind: String, Hashable, Sendable {
    /// A variant's value.
    case variant
    /// The default in the code, as of a flag that is switched off.
    case codeDefault = "default"
    /// None: the document has no such flag.
    case noFlag = "absent"
    /// None, because the flag cannot be evaluated.
    case error
  }

  /// What kind of answer it is.
  public let kind: Kind
  /// The variant's name; nil where it is none.
  public let variant: String?
  /// The variant's value; nil where it is none.
  public let value: FlagValue?

  init(_ kind: Kind) {
    self.kind = kind
    variant = nil
    value = nil
  }

  init(_ answer: FlagAnswer) {
    kind = answer.value == nil ? .codeDefault : .variant
    variant = answer.value == nil ? nil : answer.variant
    value = answer.value
  }
}

extension FlagOutcome: CustomStringConvertible {
  /// The outcome in words: the variant's name, or what there is instead.
  public var description: String {
    switch kind {
    case .variant: variant ?? "a variant"
    case .codeDefault: "the code's default"
    case .noFlag: "no flag"
    case .error: "an error"
    }
  }
}

/// Whom a change of a flag's definition gives another variant, or another value of the same one.
public struct AudienceEstimate: Hashable, Sendable {
  /// Users that a change moves from one variant to another.
  public struct Move: Hashable, Sendable {
    /// What they are given before.
    public let old: FlagOutcome
    /// What they are given after.
    public let new: FlagOutcome
    /// Their share of all users, from 0 to 1.
    public let share: Double
  }

  /// How many users were asked; nil where the shares follow from the definitions, and are exact.
  ///
  /// It is 0 where the audience's steps were used up before anyone could be asked: then nothing is known of the share.
  public let users: Int?
  /// Whether fewer users were asked than the audience has, because its steps did not last for more.
  public let isCutShort: Bool
  /// The users that are given something else, most first.
  public let moves: [Move]
  /// The share of users that are given something else, from 0 to 1.
  public let share: Double
  /// The share among the users with each value of the audience's attribute, those that most have first.
  ///
  /// There is none where the share is exact: then it is the same for all of them.
  public let parts: [AudiencePart]

  init(users: Int?, isCutShort: Bool = false, moves: [Move], share: Double, parts: [AudiencePart] = []) {
    self.parts = parts
    self.users = users
    self.isCutShort = isCutShort
    self.moves = moves.sorted { ($1.share, "\($0.old)", "\($0.new)") < ($0.share, "\($1.old)", "\($1.new)") }
    self.share = share
  }
}

extension AudienceEstimate {
  /// Whether the shares follow from the definitions, and no user was asked.
  ///
  /// They are those of very many users: the ids of a few are not spread evenly.
  public var isExact: Bool { users == nil }

  /// Whether nothing is known of the share, since nobody was asked.
  public var isUnknown: Bool { users == 0 }

  /// The standard error of the share; 0 where that is exact, and where nobody or everybody of those asked changes.
  ///
  /// Where nobody was asked it is 0.5, which is the most there is.
  public var standardError: Double {
    users.map { Self.standardError(of: share, among: $0) } ?? 0
  }

  /// Where the share is at 95 % confidence, also where nobody or everybody changes (Wilson 1927).
  public var interval: ClosedRange<Double> {
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

/// Those of the users who were asked that have one value of an attribute.
public struct AudiencePart: Hashable, Sendable {
  /// What the users have.
  public enum Value: Hashable, Sendable {
    /// This value.
    case value(FlagValue)
    /// No such attribute.
    case none
    /// One of the values that were too many to be told apart.
    case others
  }

  /// What the users have.
  public let value: Value
  /// How many of them were asked.
  public let users: Int
  /// The share of them that is given something else, from 0 to 1.
  public let share: Double

  /// The standard error of the share; 0 where nobody or everybody of those asked changes.
  public var standardError: Double { AudienceEstimate.standardError(of: share, among: users) }
  /// Where the share is at 95 % confidence, also where nobody or everybody changes.
  public var interval: ClosedRange<Double> { AudienceEstimate.interval(of: share, among: users) }
}

extension AudienceEstimate.Move {
  /// What users are given before and after, in words; with the values, where those of one variant differ.
  public var words: (old: String, new: String) {
    guard "\(old)" == "\(new)", let before = old.value, let after = new.value else { return ("\(old)", "\(new)") }
    return ("\(old) = \(before)", "\(new) = \(after)")
  }
}
