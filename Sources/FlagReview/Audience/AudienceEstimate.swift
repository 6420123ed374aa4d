import FlagDefinitions
public import FlagDomain

/// The outcome of a definition for a user.
public struct FlagOutcome: Hashable, Sendable {
  /// The kind of the outcome.
  public enum Kind: String, Hashable, Sendable {
    /// A variant's value.
    case variant
    /// The default in the code, for example because the flag is disabled.
    case codeDefault = "default"
    /// No answer: the document has no such flag.
    case noFlag = "absent"
    /// No answer: the flag cannot be evaluated.
    case error
  }

  /// The kind of the outcome.
  public let kind: Kind
  /// The variant's name; nil if the outcome is not a variant.
  public let variant: String?
  /// The variant's value; nil if the outcome is not a variant.
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
  /// The outcome in words: the variant's name, or the kind of the outcome.
  public var description: String {
    switch kind {
    case .variant: variant ?? "a variant"
    case .codeDefault: "the code's default"
    case .noFlag: "no flag"
    case .error: "an error"
    }
  }
}

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
  public let isCutShort: Bool
  /// The users whose outcome changes, the largest group first.
  public let moves: [Move]
  /// The share of users whose outcome changes, from 0 to 1.
  public let share: Double
  /// The share among the users with each value of the audience's attribute, the most common value first.
  ///
  /// It is empty if the share is exact: then it is the same for all values.
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
  /// Whether the shares follow from the definitions, and no user was evaluated.
  ///
  /// They are the shares of very many users: few ids are not distributed evenly.
  public var isExact: Bool { users == nil }

  /// Whether the share is unknown, because no user was evaluated.
  public var isUnknown: Bool { users == 0 }

  /// The standard error of the share; 0 if the share is exact, or if none or all of the evaluated users change.
  ///
  /// If no user was evaluated, it is 0.5, which is the maximum.
  public var standardError: Double {
    users.map { Self.standardError(of: share, among: $0) } ?? 0
  }

  /// The 95 % confidence interval of the share, which is valid even if none or all of the users change (Wilson 1927).
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

/// The evaluated users with one value of an attribute.
public struct AudiencePart: Hashable, Sendable {
  /// The users' value of the attribute.
  public enum Value: Hashable, Sendable {
    /// This value.
    case value(FlagValue)
    /// No such attribute.
    case none
    /// One of the values beyond the maximum number of segments.
    case others
  }

  /// The users' value of the attribute.
  public let value: Value
  /// The number of them that were evaluated.
  public let users: Int
  /// The share of them whose outcome changes, from 0 to 1.
  public let share: Double

  /// The standard error of the share; 0 if none or all of the evaluated users change.
  public var standardError: Double { AudienceEstimate.standardError(of: share, among: users) }
  /// The 95 % confidence interval of the share, which is valid even if none or all of the users change.
  public var interval: ClosedRange<Double> { AudienceEstimate.interval(of: share, among: users) }
}

extension AudienceEstimate.Move {
  /// The outcomes before and after in words; with the values, if only the value of one variant differs.
  public var words: (old: String, new: String) {
    guard "\(old)" == "\(new)", let before = old.value, let after = new.value else { return ("\(old)", "\(new)") }
    return ("\(old) = \(before)", "\(new) = \(after)")
  }
}
