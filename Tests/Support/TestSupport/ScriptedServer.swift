import FlagDomain
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A server that does to its clients what a test says, byte by byte: a thread for each connection, a request for each.
package final class ScriptedServer: Sendable {
  /// The action after a complete request.
  package enum Step: Sendable {
    case send([UInt8])
    /// Sends bytes over and over, until the client has enough, or so many times.
    case sendRepeatedly([UInt8], times: Int = .max)
    /// Waits until the client goes away.
    case waitForClient
    /// Ends the connection with a reset instead of an end.
    case reset

    package static func text(_ text: String) -> Step { .send(Array(text.utf8)) }
  }

  package struct Failure: Error { let call: String, code: Int32 }

  private struct State: Sendable {
    var requests: [String] = []
    var open: Set<Int32> = []
    var isStopped = false
  }

  package let port: Int
  private let listener: Int32
  private let state = Locked(State())
  private let script: @Sendable (Int, String) -> [Step]
  private let beforeReading: @Sendable () -> Void

  /// Listens on loopback; the script is asked for each request, by its number from 0 and its text.
  ///
  /// - Parameters:
  ///   - receiveBuffer: The bytes that the system takes before they are read; nil for as many as it likes.
  ///   - beforeReading: Runs before the next 16 KiB of a request are read.
  ///   - script: The actions after a request.
  /// - Throws: The system's error if it cannot listen.
  package init(
    receiveBuffer: Int32? = nil, beforeReading: @escaping @Sendable () -> Void = {},
    _ script: @escaping @Sendable (Int, String) -> [Step]
  ) throws {
    self.script = script
    self.beforeReading = beforeReading
    signal(SIGPIPE, SIG_IGN)
    #if canImport(Glibc)
      let listener = Self.ours(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    #else
      let listener = Self.ours(socket(AF_INET, SOCK_STREAM, 0))
    #endif
    self.listener = listener
    guard listener >= 0 else { throw Failure(call: "socket", code: errno) }
    if var receiveBuffer {
      setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let failed = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) != 0 || listen(listener, 64) != 0 || getsockname(listener, $0, &size) != 0
      }
    }
    guard !failed else { throw Failure(call: "bind", code: errno) }
    port = Int(in_port_t(bigEndian: address.sin_port))
    // The thread that takes connections closes the listener: closed elsewhere, its number might be another socket's by
    // the time that this thread comes back to it, which would take that one's connections.
    Thread.detachNewThread { [weak self, listener] in
      while case let connection = Self.ours(accept(listener, nil, nil)), connection >= 0 {
        guard let self else {
          close(connection)
          break
        }
        serve(connection)
      }
      close(listener)
    }
  }

  deinit { stop() }

  /// Takes no more connections, and ends those that there are.
  package func stop() {
    let open = state.withLock { state in
      guard !state.isStopped else { return Set<Int32>() }
      state.isStopped = true
      shutdown(listener, Int32(SHUT_RDWR))
      return state.open
    }
    for connection in open { shutdown(connection, Int32(SHUT_RDWR)) }
  }

  /// Ends the connections that there are.
  package func endConnections() {
    for connection in state.withLock({ $0.open }) { shutdown(connection, Int32(SHUT_RDWR)) }
  }

  /// The requests that came whole.
  package var requests: [String] { state.withLock { $0.requests } }
  /// The number of open connections.
  package var connections: Int { state.withLock { $0.open.count } }

  private func serve(_ connection: Int32) {
    state.withLock { _ = $0.open.insert(connection) }
    Thread.detachNewThread { [self] in
      if let request = Self.readRequest(connection, beforeReading) {
        let number = state.withLock { state in
          state.requests.append(request)
          return state.requests.count - 1
        }
        for step in script(number, request) { guard Self.run(step, on: connection) else { break } }
      }
      state.withLock { _ = $0.open.remove(connection) }
      close(connection)
    }
  }

  /// Marks a socket as not inherited by programs of other tests: they would keep it open after it is closed here.
  private static func ours(_ number: Int32) -> Int32 {
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    return number
  }

  /// Returns the header and the body; nil if the client disconnects before.
  private static func readRequest(_ connection: Int32, _ beforeReading: () -> Void) -> String? {
    var text = [UInt8]()
    while true {
      if let range = text.firstRange(of: Array("\r\n\r\n".utf8)) {
        let head = String(decoding: text[..<range.lowerBound], as: UTF8.self)
        let length = head.firstMatch(of: /(?i)content-length: *(\d+)/).flatMap { Int($0.1) } ?? 0
        if text.count >= range.upperBound + length { return String(decoding: text, as: UTF8.self) }
      }
      beforeReading()
      guard let more = receive(connection) else { return nil }
      text += more
    }
  }

  private static func receive(_ connection: Int32) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    let count = recv(connection, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  /// Does a step, and returns whether the client is there still.
  private static func run(_ step: Step, on connection: Int32) -> Bool {
    switch step {
    case .send(let bytes): return write(bytes, to: connection)
    case .sendRepeatedly(let bytes, let times):
      for _ in 0..<times { guard write(bytes, to: connection) else { return false } }
      return true
    case .waitForClient:
      while receive(connection) != nil {}
      return false
    case .reset:
      var option = linger(l_onoff: 1, l_linger: 0)
      setsockopt(connection, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
      return false
    }
  }

  private static func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

extension ScriptedServer.Step {
  /// A whole response.
  package static func response(_ status: String = "200 OK", _ fields: [String] = [], body: String = "") -> Self {
    let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)", "Connection: close"] + fields
    return .text(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
  }
}
