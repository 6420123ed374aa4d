#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A descriptor that is closed when nobody refers to it any more, and by nobody else: so no number is closed twice.
final class Descriptor: Sendable {
  let rawValue: Int32

  /// Takes over a descriptor that was just opened; it neither blocks nor is inherited by other programs.
  init(_ rawValue: Int32) throws(SocketError) {
    self.rawValue = rawValue
    let flags = fcntl(rawValue, F_GETFL)
    guard flags >= 0, fcntl(rawValue, F_SETFL, flags | O_NONBLOCK) >= 0, fcntl(rawValue, F_SETFD, FD_CLOEXEC) >= 0
    else { throw SocketError("fcntl") }
  }

  deinit {
    // A program that was started just before the descriptor was marked holds it, too: closing alone would end nothing.
    _ = shutdown(rawValue, Int32(SHUT_RDWR))
    _ = close(rawValue)
  }
}

extension Descriptor {
  enum Transfer: Equatable {
    /// So many bytes went; reading, zero is the end.
    case bytes(Int)
    /// None can go now.
    case blocked
    /// None will go any more.
    case failed
  }

  func receive(into buffer: inout [UInt8]) -> Transfer {
    transfer { buffer.withUnsafeMutableBytes { recv(rawValue, $0.baseAddress, $0.count, 0) } }
  }

  /// Writes what can be taken now of bytes, from an index on; a client that is gone is a failure, not a signal.
  func send(_ bytes: [UInt8], from start: Int) -> Transfer {
    transfer {
      bytes.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        return write(rest)
      }
    }
  }

  /// Tells the other side that nothing more will be sent; one that is gone need not be told.
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
