import FlagHTTP
import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A client that speaks bytes; it belongs to one thread at a time.
final class TestClient {
  private let number: Int32
  private var pending: [UInt8] = []

  typealias Failure = SocketFailure

  init(port: Int, receiveBuffer: Int32? = nil) throws {
    number = try connectedSocket(port: port, receiveBuffer: receiveBuffer)
  }

  deinit { close(number) }

  /// Sends a text; fails if the other side has closed.
  func send(_ text: String) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { bytes in
        #if canImport(Darwin)
          Darwin.send(number, bytes.baseAddress, bytes.count, 0)
        #elseif canImport(Glibc)
          Glibc.send(number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #else
          Musl.send(number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #endif
      }
      guard count > 0 else { throw Failure(call: "send", code: errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// Says that no more will be sent.
  func endOutput() { shutdown(number, Int32(SHUT_WR)) }

  /// Receives up to and with a text, which is to come.
  func receive(through end: String) throws -> String {
    let end = Array(end.utf8)
    while true {
      if let range = pending.firstRange(of: end) {
        defer { pending.removeSubrange(..<range.upperBound) }
        return String(decoding: pending[..<range.upperBound], as: UTF8.self)
      }
      guard try receiveMore() else { throw Failure(call: "end", code: 0) }
    }
  }

  /// Receives all up to the end.
  func receiveAll() throws -> String {
    while try receiveMore() {}
    defer { pending = [] }
    return String(decoding: pending, as: UTF8.self)
  }

  /// Receives a response with a length; its header and its body.
  func response(hasBody: Bool = true) throws -> (head: String, body: String) {
    let head = try receive(through: "\r\n\r\n")
    let length = head.firstMatch(of: /\r\nContent-Length: (\d+)\r\n/).flatMap { Int($0.1) } ?? 0
    guard hasBody else { return (head, "") }
    while pending.count < length { guard try receiveMore() else { throw Failure(call: "end", code: 0) } }
    defer { pending.removeSubrange(..<length) }
    return (head, String(decoding: pending[..<length], as: UTF8.self))
  }

  /// Sends a request for a path, and returns the status of the answer and its body.
  func get(_ path: String) throws -> (status: Int, body: String) {
    try send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let (head, body) = try response()
    return (Int(head.dropFirst(9).prefix(3)) ?? 0, body)
  }

  private func receiveMore() throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(number, &buffer, buffer.count, 0)
    if count < 0, errno == EINTR { return try receiveMore() }
    guard count >= 0 else { throw Failure(call: "recv", code: errno) }
    pending += buffer[..<count]
    return count > 0
  }
}
