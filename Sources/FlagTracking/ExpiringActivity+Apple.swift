#if canImport(Darwin) && !os(macOS)
  import Foundation

  extension ExpiringActivity {
    /// The system's own activities.
    package static var system: System? {
      { reason, block in ProcessInfo.processInfo.performExpiringActivity(withReason: reason, using: block) }
    }
  }
#endif
