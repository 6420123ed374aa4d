package import FlagDomain
package import Foundation

/// Hands hostile documents to a closure, and finds those that take too much time or memory.
package struct HostileRun {
  private let seed: UInt64
  private let time: Duration
  private let memory: Int

  /// Creates a run.
  ///
  /// - Parameters:
  ///   - seed: What the documents are made from; the same seed gives the same ones.
  ///   - time: How long the processor may work for one of them.
  ///   - memory: The maximum growth of the process in bytes, if the system reports it.
  package init(seed: UInt64, time: Duration, memory: Int) {
    (self.seed, self.time, self.memory) = (seed, time, memory)
  }

  /// Makes documents, and hands them on.
  ///
  /// - Parameters:
  ///   - count: How many documents are made.
  ///   - use: Does with a document, on the calling thread, what is to be measured; with each tenth, all that there is.
  ///     Where it throws, something is wrong with the document.
  /// - Returns: What is wrong with them, and what the worst of them took.
  package func findings(
    of count: Int, _ use: (_ document: Data, EvaluationContext, _ isFull: Bool) throws -> Void
  ) -> Findings {
    var rules = HostileRules(seed: seed)
    let context = rules.context()
    var findings = Findings()
    for number in 0..<count {
      let document = Data("\(rules.document())".utf8)
      var problems = document.count < 1_000_000 ? [] : ["it has \(document.count) bytes"]
      let before = Memory.resident()
      Memory.forgetPeak()
      let start = Self.processorTime()
      do { try use(document, context, number.isMultiple(of: 10)) } catch { problems.append("\(error)") }
      let time = Self.processorTime() - start
      let growth = Memory.peak() - before
      if time > self.time { problems.append("it takes \(time)") }
      if growth > memory { problems.append("it takes \(growth) bytes of memory") }
      findings.longest = max(findings.longest, time)
      findings.mostMemory = max(findings.mostMemory, growth)
      guard !problems.isEmpty else { continue }
      let beginning = String(decoding: document.prefix(2_000), as: UTF8.self)
      findings.problems.append("document \(number): \(problems.joined(separator: ", ")): \(beginning)")
    }
    return findings
  }

  /// The outcome for documents.
  package struct Findings {
    /// The documents with which something is wrong, in words.
    package fileprivate(set) var problems: [String] = []
    /// The longest time that the processor worked for one.
    package fileprivate(set) var longest = Duration.zero
    /// The most bytes by which the process grew.
    package fileprivate(set) var mostMemory = 0
  }

  /// The time that the processor has worked for the calling thread, whatever else the machine does.
  private static func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
