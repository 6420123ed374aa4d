package import FlagDomain

/// A document at one moment.
///
/// Until the next instant at which a comparison of the time with a number comes out differently, the answers of rules
/// that look at the time in no other way stay as they are, and can be kept like all others.
package struct TimedDocument: Sendable {
  package var document: FlagDocument
  /// The moment, in seconds since 1970-01-01 UTC; nil where nobody moves it on: then no answer about time is kept.
  package var seconds: Int64?

  package init(_ document: FlagDocument, at seconds: Int64?) {
    self.document = document
    self.seconds = seconds
  }
}

extension TimedDocument {
  /// Evaluates a flag at the moment, or at the time of now where its rule takes the time for more than comparisons.
  package func evaluate(
    _ key: FlagKey, in context: EvaluationContext, now: () -> Int64
  ) throws(FlagError) -> FlagAnswer? {
    guard let number = document.flags.number(of: key) else { return nil }
    if let answer = document.flags.fixedAnswer(number) { return answer }
    return try document.flags.withFlag(number) { flag throws(FlagError) in
      guard flag.dependsOnTime, flag.changesAtInstants, let seconds else {
        return try flag.ruledAnswer(in: context, at: now)
      }
      do throws(FlagError) {
        var answer = try flag.ruledAnswer(in: context) { seconds }
        answer.isTransient = false
        return answer
      } catch {
        var error = error
        error.isTransient = false
        throw error
      }
    }
  }

  /// The next instant at which an answer may change, in seconds since 1970-01-01 UTC; nil where there is none.
  package var nextInstant: Int64? {
    guard let seconds else { return nil }
    return document.timedProgram?.tables.instants.lazy.filter { $0 > seconds }.min()
  }

  /// Returns the keys of the flags that are defined differently, or may say something else at this moment.
  package func changedKeys(from older: TimedDocument) -> Set<String> {
    var changed = document.changedKeys(from: older.document)
    guard let seconds, let before = older.seconds, seconds != before else { return changed }
    let (start, end) = (min(seconds, before), max(seconds, before))
    guard let program = document.timedProgram, var passage = TimePassage(of: program, after: start, through: end) else {
      return changed
    }
    for case (let key, .flag(let flag)) in document.flags where flag.dependsOnTime {
      if let root = flag.root, passage.changes(root) { changed.insert(key) }
    }
    return changed
  }
}

extension FlagDocument {
  /// The program of the flags; nil if none of them depends on the time.
  fileprivate var timedProgram: Program? {
    for case (_, .flag(let flag)) in flags where flag.dependsOnTime { return flag.program }
    return nil
  }
}
