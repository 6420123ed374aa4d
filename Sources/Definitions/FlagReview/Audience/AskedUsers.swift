import FlagDefinitions
package import FlagDomain

/// The answers of an audience's users about one flag, before and after a change.
struct AskedUsers {
  private(set) var work = 0
  private var asked = 0
  private var pairs: [Pair: (old: FlagOutcome, new: FlagOutcome, isMove: Bool, count: Int)] = [:]
  private var parts: AudienceParts

  /// Two outcomes: within one document a variant has one value.
  private struct Pair: Hashable {
    let kinds: [FlagOutcome.Kind]
    let variants: [String?]
  }

  /// The steps for counting a user's answers, and those for each of the user's attributes.
  private static let (stepsPerUser, stepsPerAttribute) = (16, 8)

  /// Asks users one after the other, until the steps are used up.
  init(
    _ audience: Audience, of key: String, from old: any DefinitionDocument, to new: any DefinitionDocument,
    atMost limit: Int, at seconds: Int64
  ) {
    parts = AudienceParts(by: audience.attribute)
    for (index, user) in audience.users.enumerated() {
      guard work < limit else { return }
      var attributes = user
      if user.member("targetingKey") == nil { attributes["targetingKey"] = .string("user-\(index + 1)") }
      work += Self.stepsPerUser + Self.stepsPerAttribute * attributes.count
      let context = EvaluationContext(attributes: attributes)
      let isMoved = count(
        old.outcome(of: key, in: context, at: seconds, counting: &work),
        new.outcome(of: key, in: context, at: seconds, counting: &work))
      parts.count(user, isMoved: isMoved, counting: &work)
    }
  }

  /// Counts a user's outcomes, and returns whether they differ.
  private mutating func count(_ old: FlagOutcome, _ new: FlagOutcome) -> Bool {
    asked += 1
    work += ((old.variant?.utf8.count ?? 0) + (new.variant?.utf8.count ?? 0)) / ByteCost.perStep
    let pair = Pair(kinds: [old.kind, new.kind], variants: [old.variant, new.variant])
    let known = pairs[pair] ?? (old, new, old != new, 0)
    pairs[pair] = (known.old, known.new, known.isMove, known.count + 1)
    return known.isMove
  }

  /// The effect on the users who were asked.
  func effect(of audience: Audience) -> ChangeEffect {
    func share(_ count: Int) -> Double { asked == 0 ? 0 : Double(count) / Double(asked) }
    let moves = pairs.values.filter(\.isMove)
    return ChangeEffect(
      users: asked, isCutShort: asked < audience.users.count,
      moves: moves.map { ChangeEffect.Move(old: $0.old, new: $0.new, share: share($0.count)) },
      share: share(moves.reduce(0) { $0 + $1.count }), parts: parts.sorted)
  }
}

/// The segments of an audience by the values of an attribute; none if there is no attribute.
private struct AudienceParts {
  private let path: [String]
  private var all: [AudiencePart] = []
  private var numbers: [String: Int] = [:]

  /// The maximum number of segments; further values count as `.others`.
  private static let maximumValues = 100

  init(by attribute: String?) { path = (attribute ?? "").split(separator: ".").map(String.init) }

  /// The segments, that with the most users first.
  var sorted: [AudiencePart] { all.sorted { ($1.users, "\($0.value)") < ($0.users, "\($1.value)") } }

  /// Counts a user in a segment, and adds the steps for finding it.
  mutating func count(_ attributes: [String: FlagValue], isMoved: Bool, counting work: inout Int) {
    guard let first = path.first else { return }
    let value = path.dropFirst().reduce(attributes.member(first)) { $0?.fields?.member($1) }
    let text = value.map { "\($0)" } ?? ""
    work += 1 + text.utf8.count / ByteCost.perStep
    let isOther = numbers[text] == nil && value != nil && all.count >= Self.maximumValues
    let number = number(of: isOther ? "others" : text, isOther ? .others : value.map { .value($0) } ?? .none)
    all[number].users += 1
    if isMoved { all[number].moved += 1 }
  }

  /// Returns the number of a segment; the text of users without a value is not JSON.
  private mutating func number(of text: String, _ value: AudiencePart.Value) -> Int {
    if let number = numbers[text] { return number }
    numbers[text] = all.count
    all.append(AudiencePart(value: value))
    return all.count - 1
  }
}

extension DefinitionComparison {
  /// Returns a flag's outcomes for single users, before and after the change, in the order of the users.
  ///
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - users: The users, each as the context of an evaluation.
  ///   - seconds: The time that rules see, in seconds since 1970-01-01 UTC.
  ///   - steps: The maximum number of steps for all evaluations, as for an ``Audience``.
  /// - Returns: The outcomes; fewer than there are users if the steps do not suffice.
  package func outcomes(
    of key: String, for users: [EvaluationContext], at seconds: Int64, steps: Int = Audience.usualSteps
  ) -> [(old: FlagOutcome, new: FlagOutcome)] {
    var work = 0
    return users.prefix { _ in work < steps }.map { user in
      (
        old.document.outcome(of: key, in: user, at: seconds, counting: &work),
        new.document.outcome(of: key, in: user, at: seconds, counting: &work)
      )
    }
  }
}

extension DefinitionDocument {
  /// Returns a flag's outcomes for single users, in the order of the users; fewer if the steps do not suffice.
  ///
  /// The parameters are those of ``DefinitionComparison/outcomes(of:for:at:steps:)``.
  package func outcomes(
    of key: String, for users: [EvaluationContext], at seconds: Int64, steps: Int
  ) -> [FlagOutcome] {
    var work = 0
    return users.prefix { _ in work < steps }.map { outcome(of: key, in: $0, at: seconds, counting: &work) }
  }
}
