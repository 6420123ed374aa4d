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
  /// - Throws: What the system says if it gives none.
  package init() throws {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw SocketFailure(call: "socket") }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
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

  /// Returns ports that were all free at once, and are given back, for a program that takes a port by its number.
  static func free(_ count: Int) throws -> [Int] {
    let ports = try (0..<count).map { _ in try ReservedPort() }
    return ports.map(\.number)
  }
}
