import FlagDomain
import Foundation
import FlagCounters

/// A counter of writes by two threads with the same operation to the same reference counts.
///
/// To count a reference is to write to the object. Processors that count references of one object take turns at it, so
/// this determines how far reading scales, on machines with more processors than this one, too.
enum Sharing {
  private static let operations = 10

  /// Returns the number of times that an operation retains or releases an object that another thread's operation does,
  /// too.
  ///
  /// - Parameter work: Performs an operation a number of times.
  /// - Returns: The number for one operation; nil if the platform does not provide it.
  static func references(_ work: @escaping @Sendable (Int) -> Void) -> Double? {
    guard reference_counter_is_available() else { return nil }
    let (one, other) = onTwoThreads {
      // One-time allocations happen before; work that is done once for all operations together is not counted.
      work(operations)
      return (references(countedBy: { work(0) }), references(countedBy: { work(operations) }))
    }
    let shared = one.1.keys.filter { other.1[$0] != nil }
    let counts = shared.map { one.1[$0, default: 0] - one.0[$0, default: 0] }
    return Double(counts.reduce(0, +)) / Double(operations)
  }

  /// Runs a closure on two threads, both of which live until both have finished it.
  private static func onTwoThreads<Outcome: Sendable>(_ body: @escaping @Sendable () -> Outcome) -> (Outcome, Outcome) {
    let outcomes = Outcomes<Outcome>()
    let (done, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    for _ in 0..<2 {
      Thread.detachNewThread {
        let outcome = body()
        outcomes.all.withLock { $0.append(outcome) }
        done.signal()
        end.wait()
      }
    }
    for _ in 0..<2 { done.wait() }
    for _ in 0..<2 { end.signal() }
    let all = outcomes.all.withLock { $0 }
    return (all[0], all[1])
  }

  /// Returns the number of times that the calling thread retains or releases each object, by the objects' addresses.
  private static func references(countedBy work: () -> Void) -> [UInt: Int] {
    let limit = 4096
    var counts = unsafe [reference_count](repeating: reference_count(), count: limit)
    reference_counter_begin()
    work()
    let count = unsafe reference_counter_end(&counts, limit)
    precondition(count <= limit, "expected at most \(limit) objects, found \(count)")
    return unsafe Dictionary(
      counts.prefix(count).map { unsafe (UInt(bitPattern: $0.object), $0.count) }, uniquingKeysWith: +)
  }
}
