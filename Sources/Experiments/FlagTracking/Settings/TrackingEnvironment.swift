import FlagDomain
package import FlagFiles
import FlagFoundation
package import FlagSupport

/// The dependencies of tracking on the outside: time, randomness, ids and the system's background activity.
package struct TrackingEnvironment: Sendable {
  package var clock: any Clock<Duration> = DispatchClock()
  /// The time of day, in milliseconds since the beginning of 1970.
  package var now: @Sendable () -> Int64 = { Int64(Date.now.timeIntervalSince1970 * 1000) }
  /// A random number in 0..<1.
  package var randomness: @Sendable () -> Double = { .random(in: 0..<1) }
  /// The generator of ids for events and batches.
  package var makeID: @Sendable () -> String = { UUID().uuidString.lowercased() }
  package var backoff = Backoff()
  /// The function that requests background time from the system; nil if the system never suspends programs.
  package var performExpiringActivity: ExpiringActivity.System? = ExpiringActivity.system

  package init() {}
}
