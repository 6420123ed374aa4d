#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file descriptor that is closed when the last reference to it is released, and only then: so it is never closed
/// twice.
final class Descriptor: Sendable {
  let rawValue: Int32

  /// Takes ownership of a new descriptor; it is non-blocking and not inherited by other programs.
  init(_ rawValue: Int32) throws(SocketError) {
    self.rawValue = rawValue
    let flags = fcntl(rawValue, F_GETFL)
    guard flags >= 0, fcntl(rawValue, F_SETFL, flags | O_NONBLOCK) >= 0, fcntl(rawValue, F_SETFD, FD_CLOEXEC) >= 0
    else { throw SocketError("fcntl") }
  }

  deinit {
    // A program that was started just before the descriptor was marked has it, too: closing alone would end nothing.
    _ = shutdown(rawValue, Int32(SHUT_RDWR))
    _ = close(rawValue)
  }

  enum Transfer: Equatable {
    /// The number of bytes that were transferred; zero is the end when reading.
    case bytes(Int)
    /// None can be transferred now.
    case blocked
    /// No more can be transferred.
    case failed
  }

  func receive(into buffer: inout [UInt8]) -> Transfer {
    transfer { buffer.withUnsafeMutableBytes { recv(rawValue, $0.baseAddress, $0.count, 0) } }
  }

  /// Writes as many bytes as fit now, from an index; a disconnected client is a failure, not a signal.
  func send(_ bytes: [UInt8], from start: Int) -> Transfer {
    transfer {
      bytes.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        return write(rest)
      }
    }
  }

  /// Ends the output, so that the other side reads its end; a failure is ignored, since the other side may be gone.
  func endOutput() { _ = shutdown(rawValue, Int32(SHUT_WR)) }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.send(rawValue, bytes.baseAddress, bytes.count, 0)
    #elseif canImport(Glibc)
      Glibc.send(rawValue, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #else
      Musl.send(rawValue, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #endif
  }

  private func transfer(_ body: () -> Int) -> Transfer {
    while true {
      let count = body()
      if count >= 0 { return .bytes(count) }
      switch errno {
      case EINTR: continue
      case EAGAIN, EWOULDBLOCK: return .blocked
      default: return .failed
      }
    }
  }
}
