import FlagFoundation
package import FlagHTTP
package import FlagServices
package import FlagTransport

/// The dependencies of a service's client on the outside: network, time and randomness.
package struct ServiceEnvironment: Sendable {
  package var transport: any HTTPTransport
  /// The clock for delays.
  package let clock: any Clock<Duration>
  /// The time since the environment was made, by the same clock.
  package let uptime: @Sendable () -> Duration
  /// The current date, for the service's dates and for cached answers.
  package var date: @Sendable () -> HTTPDate = { HTTPDate(secondsSince1970: Int64(Date.now.timeIntervalSince1970)) }
  /// A random number from 0 up to, but not including, 1.
  package var randomness: @Sendable () -> Double = { .random(in: 0..<1) }

  /// Creates an environment with a clock; without a transport it creates its own.
  package init<C: Clock>(
    _ transport: (any HTTPTransport)? = nil, clock: C = ContinuousClock()
  ) where C.Duration == Duration {
    self.transport = transport ?? SystemTransport()
    self.clock = clock
    let start = clock.now
    uptime = { start.duration(to: clock.now) }
  }

  package var following: FollowerEnvironment {
    let now = date
    return FollowerEnvironment(
      clock: clock, uptime: uptime, now: { now().secondsSince1970 }, randomness: randomness)
  }
}
