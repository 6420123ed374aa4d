import FlagDomain
import Foundation
import Testing

@testable import FlagDefinitions

@Suite("Bucketing conformance")
struct BucketingConformanceTests {
  @Test("Every hash is the one that the figures give")
  func hashes() throws {
    let cases = try Vectors.lines("murmur3_x86_32.jsonl")
    #expect(cases.count >= 201)
    for entry in cases {
      guard case .int(let seed) = entry["seed"] else { throw Unreadable() }
      var hash = Murmur3(seed: UInt32(seed))
      for byte in try bytes(entry["bytesHex"]) { hash.write(byte) }
      #expect(.int(Int128(hash.value)) == entry["u32"], "\(entry)")
    }
  }

  @Test("Every value's encoding, and its hash, are those that the figures give")
  func encodings() throws {
    let cases = try Vectors.lines("cbor_deterministic.jsonl")
    #expect(cases.count >= 399)
    for entry in cases {
      var buffer = CBOREncoder(into: [UInt8]())
      var hash = CBOREncoder(into: Murmur3())
      #expect(buffer.write(entry["value"]) && hash.write(entry["value"]))
      #expect(try buffer.sink == bytes(entry["cborHex"]), "\(entry)")
      #expect(.int(Int128(hash.sink.value)) == entry["murmur3"], "\(entry)")
    }
  }

  @Test("Every user falls into the share that the figures give", arguments: Bucketing.allCases)
  func shares(bucketing: Bucketing) throws {
    let document = try FlagDocument(
      parsing: Data(Vectors.bytes("fractional_flags.json")), bucketing: bucketing)
    let cases = try Vectors.lines("fractional_\(bucketing).jsonl")
    #expect(cases.count >= 726)
    for entry in cases {
      let context = EvaluationContext(attributes: entry["context"].fields)
      let answer = try document.evaluate(entry["flagKey"].string ?? "", in: context, at: 0)
      let expected = entry["expect"]
      #expect(answer?.variant == expected["variant"].string, "\(entry)")
      #expect(answer?.reason.rawValue == expected["reason"].string, "\(entry)")
    }
  }

  private struct Unreadable: Error {}

  private func bytes(_ hex: FlagValue) throws -> [UInt8] {
    guard let digits = hex.string.map(Array.init) else { throw Unreadable() }
    return try stride(from: 0, to: digits.count, by: 2).map { index in
      guard let byte = UInt8(String(digits[index...index + 1]), radix: 16) else { throw Unreadable() }
      return byte
    }
  }
}
