#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

package struct SocketError: Error, Hashable, Sendable {
  /// The action that failed: the name of the function, and the address if one is involved.
  package let action: String
  package let reason: String
  /// Whether it is for the port: another process has it, or this one may not take it.
  package let isOfPort: Bool

  /// Captures the error of the last call that failed on this thread.
  init(_ action: String, code: Int32 = errno) {
    self.action = action
    reason = String(cString: strerror(code))
    isOfPort = [EADDRINUSE, EACCES].contains(code)
  }

  init(_ action: String, reason: String) {
    self.action = action
    self.reason = reason
    isOfPort = false
  }
}

extension SocketError: CustomStringConvertible {
  package var description: String { "\(action): \(reason)" }
}
