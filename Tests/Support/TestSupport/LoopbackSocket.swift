import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A call of the system that failed.
package struct SocketFailure: Error {
  package let call: String
  package let code: Int32

  /// Keeps the call's name, and the system's number for what is wrong.
  package init(call: String, code: Int32 = errno) { (self.call, self.code) = (call, code) }
}

/// Returns a socket that is connected to a port of this machine, for the caller to close.
///
/// A call on it waits for ten minutes at most: what a server does in a task comes after what all other tests do in
/// tasks.
///
/// - Parameters:
///   - port: The port.
///   - receiveBuffer: The bytes that the system takes before they are read; nil for as many as it likes.
/// - Returns: The socket's descriptor.
/// - Throws: The system's error if it cannot create or connect a socket.
package func connectedSocket(port: Int, receiveBuffer: Int32? = nil) throws -> Int32 {
  let number = try makeSocket()
  var limit = timeval(tv_sec: 600, tv_usec: 0)
  let size = socklen_t(MemoryLayout<timeval>.size)
  setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
  setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
  if var receiveBuffer {
    setsockopt(number, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
  }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = in_port_t(port).bigEndian
  address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
  let failure = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  guard failure == 0 else {
    let error = SocketFailure(call: "connect")
    close(number)
    throw error
  }
  return number
}

/// Returns a socket of TCP, which child processes do not have on Linux, for the caller to close.
func makeSocket() throws -> Int32 {
  #if canImport(Glibc)
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  #else
    let number = socket(AF_INET, SOCK_STREAM, 0)
  #endif
  guard number >= 0 else { throw SocketFailure(call: "socket") }
  return number
}

/// Makes the listeners of this process at a port defunct, as a system does: they stay open, and accept no more clients.
///
/// - Parameter port: The port.
/// - Returns: How many listeners there were.
package func shutDownListeners(at port: Int) -> Int {
  // All are found before one is shut down: the listener that takes its place is not meant.
  let listeners = (0..<Int32(65_536)).filter { number in
    var isListening: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(number, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0, isListening != 0
    else { return false }
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let failure = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &length) }
    }
    return failure == 0 && Int(in_port_t(bigEndian: address.sin_port)) == port
  }
  return listeners.count { shutdown($0, Int32(SHUT_RDWR)) == 0 }
}
