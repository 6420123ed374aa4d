#if canImport(Darwin) && !os(macOS)
  import Foundation

  extension ExpiringActivity {
    package static var system: System? {
      { reason, block in ProcessInfo.processInfo.performExpiringActivity(withReason: reason, using: block) }
    }
  }
#else
  extension ExpiringActivity {
    /// No activity: the system suspends no programs.
    package static var system: System? { nil }
  }
#endif
