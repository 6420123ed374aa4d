import Dispatch

/// The dependencies of a follower on the system: a schedule, and the state of the app.
package struct FollowerSystem: Sendable {
  /// Runs work on a queue after a delay, to which Dispatch may add a tenth, so that timers of a device fire together.
  var schedule: @Sendable (Duration, DispatchQueue, @escaping @Sendable () -> Void) -> Void = { delay, queue, work in
    queue.asyncAfter(deadline: .now() + delay / .seconds(1), execute: work)
  }
  /// Returns whether the app is in the background.
  var isInBackground = Self.isAppInBackground

  package static let standard = FollowerSystem()
}
