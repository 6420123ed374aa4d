import Foundation
import TestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A client of a stream of events.
final class EventReader: Sendable {
  private let number: Int32

  init(_ port: Int, _ target: String = "/flags/events") throws {
    number = try connectedSocket(port: port)
    let request = Array("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
    guard write(number, request, request.count) == request.count else { throw SocketFailure(call: "write") }
  }

  deinit { close(number) }
}

extension EventReader {
  /// Returns the data of the next event.
  func next() async throws -> String {
    let text = try await receive { $0.contains("data: ") && $0.contains("\n\n\r\n") }
    guard let data = text.firstMatch(of: /data: (.*)\n/) else { throw SocketFailure(call: "end", code: 0) }
    return String(data.1)
  }

  /// Returns all up to the end.
  func rest() async throws -> String { try await receive { _ in false } }

  /// Receives until a text is as expected, or to the end, byte by byte: what comes later is left for later.
  private func receive(until isWhole: @escaping @Sendable (String) -> Bool) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { [number] in
        continuation.resume(
          with: Result {
            var bytes: [UInt8] = []
            var byte: UInt8 = 0
            while true {
              let count = recv(number, &byte, 1, 0)
              if count < 0, errno == EINTR { continue }
              guard count >= 0 else { throw SocketFailure(call: "recv") }
              if count == 1 { bytes.append(byte) }
              guard count == 0 || byte == 0x0A else { continue }
              let text = String(decoding: bytes, as: UTF8.self)
              if count == 0 || isWhole(text) { return text }
            }
          })
      }
    }
  }
}
