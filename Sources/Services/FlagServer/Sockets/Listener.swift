#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

struct Listener: Sendable {
  /// The maximum number of clients in the accept queue.
  static let backlog: Int32 = 1024

  let descriptor: Descriptor
  let address: Address

  /// A numeric address and a port, which the system may have chosen.
  struct Address: Hashable, Sendable {
    let host: String
    let port: Int
  }

  /// Listens at a host's address; at port 0 the system chooses the port.
  init(host: String, port: Int) throws(SocketError) {
    let action = "listen at \(host):\(port)"
    guard (0...65535).contains(port) else { throw SocketError(action, reason: "expected a port from 0 to 65535") }
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE
    hints.ai_socktype = Self.streamType
    var found: UnsafeMutablePointer<addrinfo>?
    let failure = getaddrinfo(host, String(port), &hints, &found)
    guard failure == 0, let first = found else {
      throw SocketError(action, reason: String(cString: gai_strerror(failure)))
    }
    // The list is valid until it is freed here.
    defer { freeaddrinfo(first) }
    var error = SocketError(action, reason: "no address")
    var candidate: UnsafeMutablePointer<addrinfo>? = first
    while let info = candidate?.pointee {
      do throws(SocketError) {
        let bound = try Self.bound(to: info, action: action)
        let address = try SocketAddress { getsockname(bound.rawValue, $0, $1) }
        self = Listener(descriptor: bound, address: Address(host: address.host, port: address.port))
        return
      } catch let failure {
        error = failure
      }
      candidate = info.ai_next
    }
    throw error
  }

  private init(descriptor: Descriptor, address: Address) {
    self.descriptor = descriptor
    self.address = address
  }

  private static func bound(to info: addrinfo, action: String) throws(SocketError) -> Descriptor {
    let number = socket(info.ai_family, info.ai_socktype, info.ai_protocol)
    guard number >= 0 else { throw SocketError(action) }
    let descriptor = try Descriptor(number)
    set(SO_REUSEADDR, SOL_SOCKET, of: number)
    guard bind(number, info.ai_addr, info.ai_addrlen) == 0, listen(number, backlog) == 0 else {
      throw SocketError(action)
    }
    return descriptor
  }

  enum Acceptance {
    case client(Descriptor, Peer)
    /// The accept queue is empty.
    case none
    /// A client was there, and has disconnected.
    case lost(SocketError)
    /// There are no descriptors, or there is no memory, for another client.
    case exhausted
    /// The listener itself is unusable, and stays so.
    case defunct(SocketError)

    init(failedWith code: Int32) {
      switch code {
      case EAGAIN, EWOULDBLOCK: self = .none
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: self = .exhausted
      case EBADF, EINVAL, ENOTSOCK, ENOTCONN: self = .defunct(SocketError("accept", code: code))
      // A signal, a client that disconnected, a firewall, and on Linux any error of the client's network.
      default: self = .lost(SocketError("accept", code: code))
      }
    }
  }

  /// Whether clients may be connected to any of the machine's addresses.
  private var isAnyAddress: Bool { ["0.0.0.0", "::"].contains(address.host) }

  func accept() -> Acceptance {
    var number: Int32 = -1
    var code: Int32 = 0
    let address: Result<SocketAddress, SocketError> = Result { () throws(SocketError) in
      try SocketAddress { address, length in
        number = Self.accept(descriptor.rawValue, address, length)
        code = errno
        return number
      }
    }
    guard number >= 0 else { return Acceptance(failedWith: code) }
    do throws(SocketError) {
      // If anything fails from here on, the descriptor is closed.
      let client = try Descriptor(number)
      let address = try address.get()
      let local = try isAnyAddress ? SocketAddress { getsockname(number, $0, $1) }.host : self.address.host
      Self.set(TCP_NODELAY, Int32(IPPROTO_TCP), of: number)
      #if canImport(Darwin)
        Self.set(SO_NOSIGPIPE, SOL_SOCKET, of: number)
      #endif
      var peer = Peer(address: address.host.withoutMapping, port: address.port)
      peer.local = local.withoutMapping
      return .client(client, peer)
    } catch {
      return .lost(error)
    }
  }

  private static func accept(
    _ number: Int32, _ address: UnsafeMutablePointer<sockaddr>, _ length: UnsafeMutablePointer<socklen_t>
  ) -> Int32 {
    #if canImport(Darwin)
      Darwin.accept(number, address, length)
    #elseif canImport(Glibc)
      Glibc.accept(number, address, length)
    #else
      Musl.accept(number, address, length)
    #endif
  }

  /// Enables an option; a system that lacks it is used without it.
  private static func set(_ option: Int32, _ level: Int32, of number: Int32) {
    var on: Int32 = 1
    _ = setsockopt(number, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  private static var streamType: Int32 {
    #if canImport(Glibc)
      Int32(SOCK_STREAM.rawValue)
    #else
      SOCK_STREAM
    #endif
  }
}

extension String {
  /// The address of version 4 in one of version 6, and any other without the name of an interface.
  fileprivate var withoutMapping: String {
    hasPrefix("::ffff:") && contains(".") ? String(dropFirst(7)) : String(prefix { $0 != "%" })
  }
}

private struct SocketAddress {
  let host: String
  let port: Int

  /// Creates an address that a system function fills in; a result below zero is its failure.
  init(
    _ fill: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) throws(SocketError) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
    // The storage is large enough, and aligned, for an address of any family; the pointer does not leave the closure.
    let (filled, failure) = withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        let filled = fill(address, &length)
        guard filled >= 0 else { return (filled, Int32(0)) }
        return (
          filled,
          getnameinfo(
            address, length, &host, socklen_t(host.count), &port, socklen_t(port.count), NI_NUMERICHOST | NI_NUMERICSERV
          )
        )
      }
    }
    guard filled >= 0 else { throw SocketError("address") }
    guard failure == 0 else { throw SocketError("address", reason: String(cString: gai_strerror(failure))) }
    self.host = Self.text(host)
    self.port = Int(Self.text(port)) ?? 0
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
