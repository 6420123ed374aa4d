#if canImport(Darwin)
  import Foundation

  extension SharedFile {
    /// Runs a closure while the system is asked not to suspend the app, which would be killed for holding a lock.
    func withExpiringActivity<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
      #if !os(macOS)
        let begun = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        ProcessInfo.processInfo.performExpiringActivity(withReason: "Writing feature flags") { isExpired in
          begun.signal()
          if !isExpired { done.wait() }
        }
        begun.wait()
        defer { done.signal() }
      #endif
      return try body()
    }
  }
#endif
