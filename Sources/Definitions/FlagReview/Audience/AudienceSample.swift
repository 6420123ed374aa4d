import FlagDefinitions
import FlagDomain
import FlagSupport

/// A sample of an audience's users for one flag, as many as its quota of steps allows.
struct AudienceSample {
  private(set) var work = 0

  private let key: String
  private let audience: Audience
  /// The remaining steps for this flag and those after it.
  private let limit: Int
  private let quota: Int
  private var asked = 0
  private var counts: [Pair: Int] = [:]
  private var parts: AudienceParts
  private var outcomes: [[Name: FlagOutcome]] = [[:], [:]]

  /// The key of an outcome within one document, in which a variant has only one value.
  private struct Name: Hashable {
    let kind: FlagOutcome.Kind
    let variant: String?
  }

  private struct Pair: Hashable {
    let old: Name
    let new: Name
    let part: Int
  }

  init(of key: String, _ audience: Audience, atMost limit: Int, quota: Int) {
    (self.key, self.audience, self.limit, self.quota) = (key, audience, limit, quota)
    parts = AudienceParts(by: audience.attribute)
  }

  /// The number of users to evaluate before the cost of one is known.
  private static let firstUsers = 16
  /// The steps for drawing a user and counting the answers, and those for each of the user's attributes.
  private static let (stepsPerUser, stepsPerAttribute) = (16, 8)

  /// Evaluates the flag for users in both documents.
  ///
  /// Users are evaluated in batches, each at most as large as all previous ones together. Whether there is another
  /// batch, and its size, depends on the average cost so far: a single expensive user neither ends the sample nor is
  /// left out.
  mutating func estimate(
    from old: DefinitionComparison.Side, to new: DefinitionComparison.Side, at seconds: Int64
  ) -> AudienceEstimate {
    var assumed = AssumedAttributes()
    if audience.profiles.isEmpty {
      for side in [old, new] {
        if !(side.document is FlagDocument), work < limit { assumed.add(side.document.attributes(of: key)) }
        guard let rule = side.rule(of: key) else { continue }
        guard assumed.collect(from: rule, side.evaluators, counting: &work, atMost: limit) else { return result }
      }
    }
    let candidates = AssumedAttributes.Candidates(assumed)
    var generator = SplitMix64(state: audience.seed)
    var lot = min(audience.users, Self.firstUsers)
    let preparing = work
    while lot > 0 {
      for _ in 0..<lot {
        guard work < limit else { return result }
        let attributes = audience.user(asked, candidates, &generator)
        work += Self.stepsPerUser + Self.stepsPerAttribute * attributes.count
        let part = parts.part(of: attributes, counting: &work)
        ask(EvaluationContext(attributes: attributes), part, [old.document, new.document], at: seconds)
      }
      let affordable = Double(quota - work) / Double(work - preparing) * Double(asked)
      lot = min(audience.users - asked, Int(min(Double(asked), max(0, affordable))))
    }
    return result
  }

  private mutating func ask(
    _ context: EvaluationContext, _ part: Int, _ documents: [any DefinitionDocument], at seconds: Int64
  ) {
    let names = documents.enumerated().map { side, document in
      let outcome = document.outcome(of: key, in: context, at: seconds, counting: &work)
      let name = Name(kind: outcome.kind, variant: outcome.variant)
      work += (outcome.variant?.utf8.count ?? 0) / ByteCost.perStep
      if outcomes[side][name] == nil { outcomes[side][name] = outcome }
      return name
    }
    counts[Pair(old: names[0], new: names[1], part: part), default: 0] += 1
    asked += 1
  }

  private var result: AudienceEstimate {
    var moves: [[Name]: (move: (FlagOutcome, FlagOutcome), count: Int)] = [:]
    var (asked, moved) = ([Int](repeating: 0, count: parts.count), [Int](repeating: 0, count: parts.count))
    for (pair, count) in counts {
      asked[pair.part] += count
      guard let old = outcomes[0][pair.old], let new = outcomes[1][pair.new], old != new else { continue }
      moved[pair.part] += count
      moves[[pair.old, pair.new], default: ((old, new), 0)].count += count
    }
    let total = self.asked
    return AudienceEstimate(
      users: total, isCutShort: total < audience.users,
      moves: moves.values.map { .init(old: $0.move.0, new: $0.move.1, share: Double($0.count) / Double(total)) },
      share: total == 0 ? 0 : Double(moved.reduce(0, +)) / Double(total),
      parts: parts.estimated(asked: asked, moved: moved))
  }
}
