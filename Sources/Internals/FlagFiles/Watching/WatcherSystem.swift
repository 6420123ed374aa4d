import Dispatch
import Foundation

/// The dependencies of a watcher on the system: events of files, and a schedule.
package struct WatcherSystem: Sendable {
  var watches = SharedWatches.instance
  var schedule: @Sendable (Duration, DispatchQueue, @escaping @Sendable () -> Void) -> Void = { delay, queue, work in
    queue.asyncAfter(deadline: .now() + delay / .seconds(1), execute: work)
  }
  /// Returns whether a file exists for which read permission is missing.
  var isDenied: @Sendable (_ path: String) -> Bool = { path in
    do throws(FileError.Reason) {
      _ = try FileDescriptor(path, O_RDONLY | O_NONBLOCK)
      return false
    } catch {
      return error == .system(EACCES) || error == .system(EPERM)
    }
  }

  package static let standard = WatcherSystem()
}
