package import FlagHTTP
import FlagProviders
package import FlagTransport
import Foundation

/// What a client of a service has from outside: network, time and chance.
package struct ServiceEnvironment: Sendable {
  package var transport: any HTTPTransport
  /// The clock of waits.
  package let clock: any Clock<Duration>
  /// The time since the environment was made, by the same clock.
  package let uptime: @Sendable () -> Duration
  /// The time of day, for dates of the service and of what is kept.
  package var date: @Sendable () -> HTTPDate = { HTTPDate(secondsSince1970: Int64(Date.now.timeIntervalSince1970)) }
  /// A number from 0 up to, but without, 1.
  package var randomness: @Sendable () -> Double = { .random(in: 0..<1) }

  /// Creates an environment by a clock; without a transport it has one of its own.
  package init<C: Clock>(
    _ transport: (any HTTPTransport)? = nil, clock: C = ContinuousClock()
  ) where C.Duration == Duration {
    self.transport = transport ?? SystemTransport()
    self.clock = clock
    let start = clock.now
    uptime = { start.duration(to: clock.now) }
  }

  var following: FollowerEnvironment {
    let now = date
    return FollowerEnvironment(
      clock: clock, uptime: uptime, now: { now().secondsSince1970 }, randomness: randomness)
  }
}
