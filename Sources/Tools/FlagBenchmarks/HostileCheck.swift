import FlagDefinitions
import FlagDomain
import FlagReview
import Foundation
import HostileDocuments
import Synchronization

/// A check that uses hostile documents in optimized code, on a thread with a small stack.
struct HostileCheck {
  let seed: UInt64
  /// The format's guaranteed limits for documents below 1 MB.
  private static let time = Duration.seconds(1)
  private static let memory = 100 << 20
  private static let stackSize = 512 << 10

  /// Generates and uses a number of documents.
  ///
  /// - Throws: An error with the problems, such as a document that exceeds a limit, or a wrong result.
  func run(_ count: Int) throws {
    let run = HostileRun(seed: seed, time: Self.time, memory: Self.memory)
    let outcome = Outcomes<HostileRun.Findings>()
    let finished = DispatchSemaphore(value: 0)
    let thread = Thread {
      outcome.all.withLock { $0.append(run.findings(of: count, Self.use)) }
      finished.signal()
    }
    thread.stackSize = Self.stackSize
    thread.start()
    finished.wait()
    for findings in outcome.all.withLock({ $0 }) {
      let (time, memory) = (findings.longest, findings.mostMemory)
      print("\(count) hostile documents of seed \(seed): the worst took \(time), and \(memory) bytes of memory.")
      guard findings.problems.isEmpty else { throw MissedLimits(messages: findings.problems) }
    }
  }

  /// Loads a document and evaluates its flags; a full use also checks and explains them.
  private static func use(_ data: Data, _ context: EvaluationContext, isFull: Bool) throws {
    let document = try FlagDocument(parsing: data)
    for key in document.keys {
      if isFull {
        let steps = document.explain(key, in: context, at: 0).steps.count
        guard steps <= 1 else { throw Problem(message: "\(key.prefix(10)) is explained in \(steps) steps") }
      }
      do throws(FlagError) {
        _ = try document.evaluate(key, in: context, at: 0)
      } catch {
        let length = error.message.utf8.count
        guard (1..<3_000).contains(length) else { throw Problem(message: "a message of \(length) bytes") }
      }
    }
    if isFull { _ = FlagDocument.diagnostics(in: data) }
  }

  private struct Problem: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
  }
}
