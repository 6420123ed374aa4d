import FlagDefinitions
import FlagDomain

/// The distribution of a flag's outcomes over users' ids, if nothing else decides them.
struct OutcomeSpread {
  private struct Share {
    /// The end of the share among the equal parts of all ids, of which there are `total`.
    let end: UInt64
    let outcome: FlagOutcome
  }

  /// The expression that is hashed; nil for the flag's key and the id.
  private let subject: FlagValue?
  private let total: UInt64
  private let shares: [Share]

  private init(_ subject: FlagValue?, _ total: UInt64, _ shares: [Share]) {
    self.subject = subject
    self.total = total
    self.shares = shares
  }

  private init(everyone outcome: FlagOutcome) { self.init(nil, 1, [Share(end: 1, outcome: outcome)]) }

  var isConstant: Bool { shares.count == 1 }

  init?(of key: String, in document: any DefinitionDocument) {
    guard let document = document as? FlagDocument else { return nil }
    let flag: FlagDefinition?
    do throws(FlagError) {
      flag = try document.flag(key)
    } catch {
      self.init(everyone: FlagOutcome(.error))
      return
    }
    guard let flag else {
      self.init(everyone: FlagOutcome(.noFlag))
      return
    }
    switch flag.spread {
    case nil: return nil
    case .constant?:
      let anyone = EvaluationContext(attributes: ["targetingKey": "anyone"])
      self.init(everyone: document.outcome(of: key, in: anyone, at: 0))
    case .shares(let shares, let total, let subject)?:
      self.init(subject, total, shares.map { Share(end: $0.end, outcome: FlagOutcome($0.answer)) })
    }
  }

  /// Returns the exact moves of users when one distribution replaces another; nil if they cannot be derived.
  static func exactMoves(from old: OutcomeSpread, to new: OutcomeSpread) -> ChangeEffect? {
    guard old.isConstant || new.isConstant || old.subject == new.subject else { return nil }
    // Both divide the same range of ids; with this many parts, the ends of both are integers.
    let total = old.total * new.total
    var parts: [[FlagOutcome]: UInt64] = [:]
    var (start, changed, left, right) = (UInt64(0), UInt64(0), 0, 0)
    while left < old.shares.count, right < new.shares.count {
      let (leftEnd, rightEnd) = (old.shares[left].end * new.total, new.shares[right].end * old.total)
      let end = min(leftEnd, rightEnd)
      let pair = [old.shares[left].outcome, new.shares[right].outcome]
      if end > start, pair[0] != pair[1] {
        parts[pair, default: 0] += end - start
        changed += end - start
      }
      start = end
      if leftEnd == end { left += 1 }
      if rightEnd == end { right += 1 }
    }
    let moves = parts.map { ChangeEffect.Move(old: $0[0], new: $0[1], share: Double($1) / Double(total)) }
    return ChangeEffect(users: nil, moves: moves, share: Double(changed) / Double(total))
  }
}

extension DefinitionDocument {
  func outcome(of key: String, in context: EvaluationContext, at seconds: Int64) -> FlagOutcome {
    do throws(FlagError) {
      return try evaluate(key, in: context, at: seconds).map(FlagOutcome.init) ?? FlagOutcome(.noFlag)
    } catch {
      return FlagOutcome(.error)
    }
  }

  /// Returns a flag's outcome, and adds the steps that it took: one in a document of another format.
  func outcome(
    of key: String, in context: EvaluationContext, at seconds: Int64, counting work: inout Int
  ) -> FlagOutcome {
    guard let document = self as? FlagDocument else {
      work += 1
      return outcome(of: key, in: context, at: seconds)
    }
    do throws(FlagError) {
      guard let flag = try document.flag(key) else { return FlagOutcome(.noFlag) }
      return FlagOutcome(try flag.evaluate(in: context, at: seconds, counting: &work))
    } catch {
      return FlagOutcome(.error)
    }
  }
}

extension FlagOutcome {
  fileprivate init(_ answer: Result<FlagAnswer, FlagError>) {
    switch answer {
    case .success(let answer): self.init(answer)
    case .failure: self.init(.error)
    }
  }
}
