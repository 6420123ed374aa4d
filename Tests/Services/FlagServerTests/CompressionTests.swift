import FlagHTTP
import Testing

@testable import FlagServer

@Suite("Compressed responses")
struct CompressionTests {
  private let text = String(repeating: "a text that repeats itself. ", count: 100)

  private func response(
    _ text: String, type: String = "application/json", accepting encodings: String? = "gzip"
  ) -> HTTPResponse {
    var response = HTTPResponse(.ok, fields: [.contentType: type, .eTag: "\"tag\""], body: Array(text.utf8))
    let fields: HTTPFields = encodings.map { [.acceptEncoding: $0] } ?? [:]
    Compression().apply(to: &response, for: HTTPRequest(.get, "/", fields: fields, body: []))
    return response
  }

  @Test("A client that accepts it gets compressed bytes, with a tag that is weak: other clients have other bytes")
  func compresses() {
    let response = response(text)
    #expect(response.body == Gzip.compress(Array(text.utf8)) && response.body.count < 200)
    #expect(response.fields[.contentEncoding] == "gzip" && response.fields[.vary] == "Accept-Encoding")
    #expect(response.fields[.eTag] == "W/\"tag\"")
  }

  @Test(
    "The field says whether a client accepts it",
    arguments: [
      (nil, false), ("", false), ("gzip", true), ("deflate, GZIP;q=0.5, br", true), ("gzip;q=0", false),
      ("gzip ; q=0.000", false), ("*", true), ("*;q=0", false), ("identity, *;q=0.1, gzip;q=0", false), ("br", false),
    ] as [(String?, Bool)])
  func negotiates(encodings: String?, isAccepted: Bool) {
    let response = response(text, accepting: encodings)
    #expect((response.fields[.contentEncoding] == "gzip") == isAccepted)
    #expect((response.body.count < text.utf8.count) == isAccepted)
    #expect(response.fields[.vary] == "Accept-Encoding", "for caches, in both cases")
  }

  @Test("Where it does not pay, the bytes stay: a small body, noise, pictures")
  func leavesOthers() {
    #expect(response("{}").fields == [.contentType: "application/json", .eTag: "\"tag\""])
    #expect(response(text, type: "image/png").fields[.contentEncoding] == nil)
    var random = SystemRandomNumberGenerator()
    let noise = String((0..<4096).map { _ in Character(Unicode.Scalar(UInt8.random(in: 33...126, using: &random))) })
    #expect(response(noise).body == Array(noise.utf8) && response(noise).fields[.eTag] == "\"tag\"")
  }
}
