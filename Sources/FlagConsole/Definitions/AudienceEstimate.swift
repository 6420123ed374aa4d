public import FlagDefinitions
public import FlagDomain
import FlagJSON

/// Whom a change of a flag's definition gives another variant: an estimate over users that are made up.
///
/// The users have ids in sequence, and attributes drawn at random from the values that the two rules compare them with,
/// and from having none. So a share is estimated as it would be; how many people live in a country nobody knows here.
public struct AudienceEstimate: Hashable, Sendable {
  /// Users that a change moves from one variant to another.
  public struct Move: Hashable, Sendable {
    /// The variant before.
    public let old: String
    /// The variant after.
    public let new: String
    /// How many users move.
    public let users: Int
  }

  /// How many users were asked for.
  public let users: Int
  /// The users that get another variant, most first.
  public let moves: [Move]

  /// How many users get another variant.
  public var changed: Int { moves.reduce(0) { $0 + $1.users } }

  /// The share of users that get another variant, and how far it may be off, at 95 %.
  ///
  /// The error is Wilson's, which is above zero also where nobody or everybody changes (Wilson 1927).
  public var share: (value: Double, error: Double) {
    let (count, share, z) = (Double(users), Double(changed) / Double(max(1, users)), 1.959964)
    let spread = z * (share * (1 - share) / count + z * z / (4 * count * count)).squareRoot()
    return (share, spread / (1 + z * z / count))
  }
}

extension AudienceEstimate {
  /// Compares what two documents say of a flag.
  ///
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - old: The document before.
  ///   - new: The document after.
  ///   - users: How many users are made up, at least one.
  ///   - seconds: The time that rules see.
  /// - Throws: A parse error where a document cannot be read.
  public init(
    of key: String, from old: StoredDefinitions, to new: StoredDefinitions, users: Int = 2000, at seconds: Int64
  ) throws(FlagError) {
    var attributes = ComparedValues()
    for stored in [old, new] { attributes.collect(from: try Self.rules(of: key, in: stored)) }
    var generator = SplitMix64(state: 13)
    var counts: [[String]: Int] = [:]
    for number in 0..<max(1, users) {
      let context = attributes.context(ofUser: number, &generator)
      let variants = [old, new].map { Self.outcome(of: key, $0.document, context, seconds) }
      if variants[0] != variants[1] { counts[variants, default: 0] += 1 }
    }
    self.users = max(1, users)
    moves = counts.map { Move(old: $0[0], new: $0[1], users: $1) }
      .sorted { ($1.users, $0.old, $0.new) < ($0.users, $1.old, $1.new) }
  }

  private static func outcome(
    of key: String, _ document: FlagDocument, _ context: EvaluationContext, _ seconds: Int64
  ) -> String {
    do throws(FlagError) {
      guard let answer = try document.evaluate(key, in: context, at: seconds) else { return "no flag" }
      return answer.variant ?? "the code's default"
    } catch {
      return "an error"
    }
  }

  /// Returns the rule of a flag, and the shared rules.
  private static func rules(of key: String, in stored: StoredDefinitions) throws(FlagError) -> [FlagValue] {
    let fields = try FlagValue.reading(json: stored.text.span).fields ?? [:]
    return [fields["flags"]?.fields?.member(key)?.fields?["targeting"], fields["$evaluators"]].compactMap { $0 }
  }
}

/// The values that rules compare each attribute with.
private struct ComparedValues {
  private var values: [String: [FlagValue]] = [:]

  mutating func collect(from rules: [FlagValue]) {
    var rest = rules
    while let value = rest.popLast() {
      rest += value.elements ?? value.fields.map { Array($0.values) } ?? []
      guard case .object(let members) = value, members.count == 1, let parts = members.first?.value.elements
      else { continue }
      let names = parts.compactMap(\.variableName)
      let constants = parts.flatMap { $0.elements ?? [$0] }.filter { $0.isScalar && $0 != .null }
      for name in names { add(constants, to: name, isList: members.first?.key == "in" && parts[0].isScalar) }
    }
  }

  private mutating func add(_ constants: [FlagValue], to name: String, isList: Bool) {
    guard name != "targetingKey", !name.hasPrefix("$flagd") else { return }
    for constant in constants where (values[name]?.count ?? 0) < 32 {
      let candidates: [FlagValue] =
        switch constant {
        case .int(let number): [.int(number &- 1), constant, .int(number &+ 1)]
        default: [isList ? .array([constant]) : constant]
        }
      for value in candidates where values[name]?.contains(value) != true { values[name, default: []].append(value) }
    }
  }

  /// Returns a user who has, of each attribute, one of the values or none.
  func context(ofUser number: Int, _ generator: inout SplitMix64) -> EvaluationContext {
    var attributes: [String: FlagValue] = ["targetingKey": .string("user-\(number)")]
    for (name, values) in values.sorted(by: { $0.key < $1.key }) {
      let index = Int.random(in: 0...values.count, using: &generator)
      if index < values.count { attributes[name] = values[index] }
    }
    return EvaluationContext(attributes: attributes)
  }
}

extension FlagValue {
  /// The attribute that a rule looks up, where it does no more.
  fileprivate var variableName: String? {
    guard let argument = fields?["var"], fields?.count == 1 else { return nil }
    if case .string(let name) = argument.elements?.first ?? argument { return name }
    return nil
  }
}

/// Random numbers that are the same in every run (Steele, Lea and Flood 2014).
private struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
