#if canImport(Darwin) && !os(macOS)
  import Foundation

  extension ExpiringActivity {
    package static var system: System? {
      { reason, block in ProcessInfo.processInfo.performExpiringActivity(withReason: reason, using: block) }
    }
  }
#else
  extension ExpiringActivity {
    /// None: the system suspends no program.
    package static var system: System? { nil }
  }
#endif
