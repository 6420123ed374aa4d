import FlagSupport

package struct SocketError: Error, Hashable, Sendable {
  /// The action that failed: the name of the function, and the address if one is involved.
  package let action: String
  package let reason: String
  /// Whether it is for the port: another process has it, or this one may not take it.
  package let isOfPort: Bool

  /// Captures the error of the last call that failed on this thread.
  init(_ action: String, code: Int32 = errno) {
    self.action = action
    reason = SystemError(code: code).description
    isOfPort = [EADDRINUSE, EACCES].contains(code)
  }

  /// Creates the error of a conversion between addresses and names, by its own code.
  fileprivate init(_ action: String, lookup code: Int32) {
    self.init(action, reason: unsafe String(cString: gai_strerror(code)))
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

// MARK: - Descriptors

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
    transfer { unsafe buffer.withUnsafeMutableBytes { unsafe recv(rawValue, $0.baseAddress, $0.count, 0) } }
  }

  /// Writes as many bytes as fit now, from an index; a disconnected client is a failure, not a signal.
  func send(_ bytes: [UInt8], from start: Int) -> Transfer {
    transfer {
      unsafe bytes.withUnsafeBytes { unsafe sendPart(rawValue, UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }
  }

  /// Ends the output, so that the other side reads its end; a failure is ignored, since the other side may be gone.
  func endOutput() { _ = shutdown(rawValue, Int32(SHUT_WR)) }

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

  // MARK: Pipes

  /// Creates a pipe, through which a thread wakes another one.
  static func pipe() throws(SocketError) -> (output: Descriptor, input: Descriptor) {
    var ends: [Int32] = [-1, -1]
    guard createPipe(&ends) == 0 else { throw SocketError("pipe") }
    return (try Descriptor(ends[0]), try Descriptor(ends[1]))
  }

  /// Writes a byte into a pipe, which has room for many.
  func signal() { unsafe withUnsafeBytes(of: UInt8(0)) { _ = unsafe write(rawValue, $0.baseAddress, 1) } }

  /// Reads all bytes of a pipe, which has few.
  func clearSignals() {
    unsafe withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { _ = unsafe read(rawValue, $0.baseAddress, 16) }
  }
}

// MARK: - Listening

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
    var hints = unsafe addrinfo()
    unsafe (hints.ai_flags, hints.ai_protocol) = (AI_PASSIVE, Int32(IPPROTO_TCP))
    var found: UnsafeMutablePointer<addrinfo>?
    let failure = unsafe getaddrinfo(host, String(port), &hints, &found)
    guard failure == 0, let first = unsafe found else {
      throw SocketError(action, lookup: failure)
    }
    // The list is valid until it is freed here.
    defer { unsafe freeaddrinfo(first) }
    var error = SocketError(action, reason: "no address")
    var candidate: UnsafeMutablePointer<addrinfo>? = unsafe first
    while let info = unsafe candidate?.pointee {
      do throws(SocketError) {
        let bound = try unsafe Self.bound(to: info, action: action)
        let address = try SocketAddress(of: bound.rawValue)
        self = Listener(descriptor: bound, address: Address(host: address.host, port: address.port))
        return
      } catch let failure {
        error = failure
      }
      unsafe candidate = info.ai_next
    }
    throw error
  }

  private init(descriptor: Descriptor, address: Address) {
    self.descriptor = descriptor
    self.address = address
  }

  private static func bound(to info: addrinfo, action: String) throws(SocketError) -> Descriptor {
    let number = unsafe socket(info.ai_family, info.ai_socktype, info.ai_protocol)
    guard number >= 0 else { throw SocketError(action) }
    let descriptor = try Descriptor(number)
    set(SO_REUSEADDR, SOL_SOCKET, of: number)
    guard unsafe bind(number, info.ai_addr, info.ai_addrlen) == 0, listen(number, backlog) == 0 else {
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
      try unsafe SocketAddress { address, length in
        number = unsafe acceptClient(descriptor.rawValue, address, length)
        code = errno
        return number
      }
    }
    guard number >= 0 else { return Acceptance(failedWith: code) }
    do throws(SocketError) {
      // If anything fails from here on, the descriptor is closed.
      let client = try Descriptor(number)
      let address = try address.get()
      let local = try isAnyAddress ? SocketAddress(of: number).host : self.address.host
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

  /// Enables an option; a system that lacks it is used without it.
  private static func set(_ option: Int32, _ level: Int32, of number: Int32) {
    var on: Int32 = 1
    _ = unsafe setsockopt(number, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
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

  /// Creates the address of a socket's own end.
  init(of number: Int32) throws(SocketError) { try unsafe self.init { unsafe getsockname(number, $0, $1) } }

  /// Creates an address that a system function fills in; a result below zero is its failure.
  init(
    _ fill: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) throws(SocketError) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
    // The storage is large enough, and aligned, for an address of any family; the pointer does not leave the closure.
    let (filled, failure) = unsafe withUnsafeMutablePointer(to: &storage) { storage in
      unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        let filled = unsafe fill(address, &length)
        guard filled >= 0 else { return (filled, Int32(0)) }
        return unsafe (
          filled,
          getnameinfo(
            // Android counts in other integers.
            address, length, &host, numericCast(host.count), &port, numericCast(port.count),
            NI_NUMERICHOST | NI_NUMERICSERV)
        )
      }
    }
    guard filled >= 0 else { throw SocketError("address") }
    guard failure == 0 else { throw SocketError("address", lookup: failure) }
    self.host = Self.text(host)
    self.port = Int(Self.text(port)) ?? 0
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

// MARK: - Polling

/// A descriptor in a call of `poll`: the events that are awaited, and those that were found.
typealias PolledDescriptor = pollfd

struct PollEvents: OptionSet {
  let rawValue: Int16

  static let input = Self(rawValue: Int16(POLLIN))
  static let output = Self(rawValue: Int16(POLLOUT))
  static let failure = Self(rawValue: Int16(POLLERR))
  static let hangUp = Self(rawValue: Int16(POLLHUP))
  static let invalid = Self(rawValue: Int16(POLLNVAL))
}

extension PolledDescriptor {
  /// Creates one that waits for input; nil is for none.
  init(_ descriptor: Descriptor?) { self.init(fd: descriptor?.rawValue ?? -1, events: Int16(POLLIN), revents: 0) }

  var awaited: PollEvents {
    get { PollEvents(rawValue: events) }
    set { events = newValue.rawValue }
  }

  var found: PollEvents { PollEvents(rawValue: revents) }
}

extension [PolledDescriptor] {
  /// Waits for an event of any, and returns how many have one.
  mutating func poll(milliseconds: Int32) -> Int32 { pollAll(&self, milliseconds) }
}

// MARK: - Addresses

extension [UInt8] {
  /// The bytes of a numeric address, in the order of the network; nil for any other text.
  init?(address text: String) {
    for (family, size) in [(AF_INET, MemoryLayout<in_addr>.size), (AF_INET6, MemoryLayout<in6_addr>.size)] {
      var bytes = [UInt8](repeating: 0, count: size)
      guard unsafe inet_pton(family, text, &bytes) == 1 else { continue }
      self = bytes
      return
    }
    return nil
  }
}

// MARK: - Calls

// The system's functions whose names are those of methods above.

private func sendPart(_ number: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  #if canImport(Darwin)
    let flags: Int32 = 0  // the socket's own option has the same effect
  #else
    let flags = Int32(MSG_NOSIGNAL)
  #endif
  return unsafe bytes.baseAddress.map { unsafe send(number, $0, bytes.count, flags) } ?? 0
}

private func acceptClient(
  _ number: Int32, _ address: UnsafeMutablePointer<sockaddr>, _ length: UnsafeMutablePointer<socklen_t>
) -> Int32 {
  unsafe accept(number, address, length)
}

private func pollAll(_ list: inout [pollfd], _ milliseconds: Int32) -> Int32 {
  unsafe poll(&list, nfds_t(list.count), milliseconds)
}

private func createPipe(_ ends: inout [Int32]) -> Int32 { unsafe pipe(&ends) }
