import FlagDomain
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A port of this machine that nobody listens at, and that no other process is given, until this value goes away.
package final class ReservedPort: Sendable {
  /// The number of the port.
  package let number: Int
  private let descriptor: Int32

  /// Takes a port that is free.
  ///
  /// - Parameter wanted: The port; 0 for any.
  /// - Throws: What the system says if it does not give it.
  package init(_ wanted: Int = 0) throws {
    let descriptor = try makeSocket()
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(wanted).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isBound else {
      let error = SocketFailure(call: "bind")
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    number = Int(in_port_t(bigEndian: address.sin_port))
  }

  deinit { close(descriptor) }

  /// Returns a port for a server that is to be found there again after it was gone.
  ///
  /// Systems assign ports from 32768 on to callers without a preference, as most tests are: such a port could be taken
  /// by another server while this one is gone. Each call returns another port, and other processes begin elsewhere.
  ///
  /// - Throws: The system's error if none of a thousand ports is free.
  package static func forRestarts() throws -> Int {
    var failure: any Error = SocketFailure(call: "bind", code: EADDRINUSE)
    for _ in 0..<1000 {
      let candidate =
        candidates.lowerBound
        + tried.withLock { tried in
          tried += 1
          return tried % candidates.count
        }
      do { return try ReservedPort(candidate).number } catch { failure = error }
    }
    throw failure
  }

  private static let candidates = 10_000..<32_000
  private static let tried = Locked(Int(ProcessInfo.processInfo.processIdentifier) &* 97)
}
