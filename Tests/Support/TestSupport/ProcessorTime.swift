import Foundation

/// Returns the time that the processor worked for the calling thread while a closure ran.
///
/// Other work of the machine does not count, however little of the processor it leaves to this thread.
package func processorTime(of work: () throws -> Void) rethrows -> Duration {
  let start = threadTime()
  try work()
  return threadTime() - start
}

/// Returns how many times as long as little work the processor is busy with much work.
///
/// A machine that others use may take longer for either, and then both are done again, five times at most.
///
/// - Parameters:
///   - bound: The ratio below which it is not done again.
///   - much: The larger work.
///   - little: The smaller work.
/// - Returns: The first ratio below the bound, else the lowest.
package func processorTimeRatio(below bound: Double, of much: () -> Void, to little: () -> Void) -> Double {
  var lowest = Double.infinity
  for _ in 0..<5 where lowest >= bound {
    // Shorter times come from the clock alone.
    let least = max(processorTime(of: little), .milliseconds(1))
    lowest = min(lowest, processorTime(of: much) / least)
  }
  return lowest
}

/// Returns the time that the processors have worked for this process.
package func processTime() -> Duration { time(of: CLOCK_PROCESS_CPUTIME_ID) }

private func threadTime() -> Duration { time(of: CLOCK_THREAD_CPUTIME_ID) }

private func time(of clock: clockid_t) -> Duration {
  var time = timespec()
  clock_gettime(clock, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
