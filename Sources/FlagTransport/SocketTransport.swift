#if canImport(FoundationNetworking)
  import FlagDomain
  import FlagHTTP
  import Foundation

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Sends requests without encryption, each over a connection and on a thread of its own.
  ///
  /// It is there for answers that have trailers, as those of etcd that refuse: at one of these, Foundation's session on
  /// Linux (Swift 6.3) ends the program ("Transfer completed, but there's no response").
  package final class SocketTransport: HTTPTransport {
    /// Creates a transport.
    package init() {}

    package func send(_ request: TransportRequest, limit: Int) -> Exchange {
      let exchange = Exchange(limit: limit)
      let connection = Connection()
      exchange.onCancel { connection.cancel() }
      Thread.detachNewThread { [weak exchange] in
        do throws(TransportError) {
          try connection.run(request) { part in
            switch part {
            case .head(let head): exchange?.deliver(head)
            case .content(let bytes): exchange?.deliver(bytes)
            case .end: exchange?.finish()
            }
          }
          exchange?.finish()
        } catch {
          exchange?.finish(error)
        }
        connection.end()
      }
      return exchange
    }
  }

  /// A connection for one request, which waits on the thread that runs it, and is cancelled from another.
  private final class Connection: Sendable {
    private struct State {
      var socket: Int32?
      var isCancelled = false
    }

    private let state = Locked(State())

    /// Ends the connection, so that whoever waits for it does no more.
    func cancel() {
      state.withLock { state in
        state.isCancelled = true
        if let socket = state.socket { shutdown(socket, Int32(SHUT_RDWR)) }
      }
    }

    func end() {
      state.withLock { state in
        // Under the lock: its number may be another's right afterwards.
        if let socket = state.socket { close(socket) }
        state.socket = nil
      }
    }

    func run(
      _ request: TransportRequest, _ deliver: (ResponseParser.Part) -> Void
    ) throws(TransportError) {
      guard request.url.scheme?.lowercased() == "http" else {
        throw .failed(
          "expected http, as to a proxy on this machine that encrypts, found https, of which Linux has none")
      }
      let text = try Self.text(of: request)
      let socket = try open(request.url)
      try Self.write(text, to: socket)
      var parser = ResponseParser()
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      while !parser.isOver {
        let count = recv(socket, &buffer, buffer.count, 0)
        if count < 0, errno == EINTR { continue }
        let parts = count > 0 ? try parser.append(Array(buffer[..<count])) : try parser.finish()
        for part in parts { deliver(part) }
      }
    }

    /// Connects to the first address of a host that takes connections, within ten seconds each.
    private func open(_ url: URL) throws(TransportError) -> Int32 {
      var hints = addrinfo()
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
      var list: UnsafeMutablePointer<addrinfo>?
      let host = (url.host() ?? "").trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
      guard getaddrinfo(host, String(url.port ?? 80), &hints, &list) == 0 else {
        throw .failed("the host's name leads nowhere")
      }
      defer { freeaddrinfo(list) }
      var next = list
      while let address = next?.pointee {
        next = address.ai_next
        let number = socket(address.ai_family, address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), address.ai_protocol)
        guard number >= 0 else { continue }
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let isWanted = state.withLock { state in
          guard !state.isCancelled else { return false }
          state.socket = number
          return true
        }
        guard isWanted else {
          close(number)
          throw .cancelled
        }
        if connect(number, address.ai_addr, address.ai_addrlen) == 0 { return number }
        end()
      }
      throw .failed("the host takes no connection")
    }

    private static func write(_ text: [UInt8], to socket: Int32) throws(TransportError) {
      var rest = text[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw .failed("the connection was lost") }
        rest = rest.dropFirst(count)
      }
    }

    private static func text(of request: TransportRequest) throws(TransportError) -> [UInt8] {
      let path = request.url.path(percentEncoded: true)
      let query = request.url.query(percentEncoded: true).map { "?\($0)" } ?? ""
      var text = "\(request.method.name) \(path.isEmpty ? "/" : path)\(query) HTTP/1.1\r\n"
      text += "Host: \(request.url.authority)\r\nConnection: close\r\nContent-Length: \(request.body.count)\r\n"
      for field in request.fields.all {
        guard field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
          throw .failed("expected a header field of one line, found another for \(field.name)")
        }
        text += "\(field.name.text): \(field.value)\r\n"
      }
      return Array((text + "\r\n").utf8) + request.body
    }
  }
#endif
