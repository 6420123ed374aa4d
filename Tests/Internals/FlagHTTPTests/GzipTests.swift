import Testing

@testable import FlagHTTP

@Suite("Compression")
struct GzipTests {
  @Test(
    "The checksum is that of the standard",
    arguments: [("", 0), ("123456789", 0xCBF4_3926), ("a", 0xE8B7_BE43)] as [(String, UInt32)])
  func checksums(text: String, checksum: UInt32) {
    #expect(Gzip.checksum(of: Array(text.utf8)) == checksum)
  }

  @Test("A short text is a header, a literal, a repetition, a checksum and a length, as Python's gzip reads them")
  func writesFormat() {
    let compressed = Gzip.compress(Array("aaaaa".utf8))
    #expect(compressed.prefix(10) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF])
    #expect(compressed.dropFirst(10) == [0x4B, 0x04, 0x01, 0x00, 0xB9, 0x93, 0xAC, 0xEE, 5, 0, 0, 0])
  }

  @Test("Answers for flags are a sixth of their size at most, and noise is hardly larger than it was")
  func saves() {
    let answers = (0..<100).map { #"{"key":"feature.flag-\#($0)","value":true,"variant":"on","reason":"STATIC"},"# }
    let text = Array(answers.joined().utf8)
    #expect(Gzip.compress(text).count * 6 < text.count)
    var random = SystemRandomNumberGenerator()
    let noise = (0..<4096).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
    #expect(Gzip.compress(noise).count < 4096 * 9 / 8)
  }
}
