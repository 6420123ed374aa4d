package import FlagDomain
package import FlagFiles
import Foundation

/// What tracking has from outside: time, chance and names.
package struct TrackingEnvironment: Sendable {
  package var clock: any Clock<Duration> = ContinuousClock()
  /// The time of day, in milliseconds since the beginning of 1970.
  package var now: @Sendable () -> Int64 = { Int64(Date.now.timeIntervalSince1970 * 1000) }
  /// A number from 0 up to, but without, 1.
  package var randomness: @Sendable () -> Double = { .random(in: 0..<1) }
  /// Makes the ids of events and batches.
  package var makeID: @Sendable () -> String = { UUID().uuidString.lowercased() }
  package var backoff = Backoff()
  /// Asks the system not to suspend the app for a while; nil where the system suspends no program.
  package var performExpiringActivity: ExpiringActivity.System? = ExpiringActivity.system

  package init() {}
}
