import FlagDomain
import FlagSupport
import Foundation
import Testing

@Suite("Keyed hashes")
struct KeyedHashTests {
  struct Vector: Sendable {
    let key: [UInt8]
    let text: [UInt8]
    let hash: String
  }

  /// RFC 4231, section 4, without case 5, which is a truncated hash.
  private static let vectors = [
    Vector(
      key: [UInt8](repeating: 0x0b, count: 20), text: Array("Hi There".utf8),
      hash: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    Vector(
      key: Array("Jefe".utf8), text: Array("what do ya want for nothing?".utf8),
      hash: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    Vector(
      key: [UInt8](repeating: 0xaa, count: 20), text: [UInt8](repeating: 0xdd, count: 50),
      hash: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
    Vector(
      key: Array(1...25), text: [UInt8](repeating: 0xcd, count: 50),
      hash: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
    Vector(
      key: [UInt8](repeating: 0xaa, count: 131),
      text: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      hash: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
    Vector(
      key: [UInt8](repeating: 0xaa, count: 131),
      text: Array(
        ("This is a test using a larger than block-size key and a larger than block-size data. "
          + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
      hash: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
  ]

  @Test("HMAC-SHA-256 is that of RFC 4231", arguments: vectors)
  func hashes(vector: Vector) {
    #expect(SHA256.hex(of: vector.text, key: vector.key) == vector.hash)
  }

  @Test("SHA-256 is that of FIPS 180-4")
  func hashesWithoutKey() {
    #expect(SHA256.hex(of: "abc".utf8) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }
}
