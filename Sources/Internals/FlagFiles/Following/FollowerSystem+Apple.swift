#if canImport(Darwin) && !os(macOS)
  import FlagDomain
  import Foundation

  extension FollowerSystem {
    /// Returns what the last notification of UIKit or WatchKit has said; false before the first one.
    static let isAppInBackground: @Sendable () -> Bool = {
      let state = AppState()
      return { state.isInBackground.withLock { $0 } }
    }()
  }

  private final class AppState: Sendable {
    let isInBackground = Locked(false)

    /// Observes the notifications, by their names, since the package links neither UIKit nor WatchKit.
    init() {
      for (event, value) in [("DidEnterBackground", true), ("WillEnterForeground", false)] {
        for name in ["UIApplication\(event)Notification", "WKApplication\(event)Notification"] {
          _ = NotificationCenter.default.addObserver(forName: Notification.Name(name), object: nil, queue: nil) { _ in
            self.isInBackground.withLock { $0 = value }
          }
        }
      }
    }
  }
#else
  extension FollowerSystem {
    /// Returns false: nobody suspends the program.
    static let isAppInBackground: @Sendable () -> Bool = { false }
  }
#endif
