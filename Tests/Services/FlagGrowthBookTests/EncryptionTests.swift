import FlagDomain
import Testing

@testable import FlagGrowthBook

@Suite("Encrypted documents")
struct EncryptionTests {
  /// The vectors F.2.2, F.2.4 and F.2.6 of NIST's SP 800-38A: a key, and a ciphertext of the same text.
  private static let vectors = [
    (
      "2b7e151628aed2a6abf7158809cf4f3c",
      "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
        + "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7"
    ),
    (
      "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
      "4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a"
        + "571b242012fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd"
    ),
    (
      "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
      "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
        + "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b"
    ),
  ]
  private static let text =
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"

  @Test("AES-CBC decrypts NIST's vectors, for keys of each length", arguments: vectors)
  func decrypts(key: String, cipher: String) throws {
    let aes = try #require(AES(key: Self.bytes(key)))
    #expect(EncryptedText.decrypt(Self.bytes(cipher), aes, Array(0..<16)) == Self.bytes(Self.text))
  }

  @Test("Texts that are cut, padded wrongly or of another key are no texts")
  func refusesBadTexts() {
    let key = "Zvwv/+uhpFDznZ6SX28Yjg=="
    let text = "m5ylFM6ndyOJA2OPadubkw==.Uu7ViqgKEt/dWvCyhI46q088PkAEJbnXKf3KPZjf9IEQQ+A8fojNoxw4wIbPX3aj"
    #expect(EncryptedText.decrypt(text, key: key) == Array(#"{"feature":{"defaultValue":true}}"#.utf8))
    for count in 0..<text.count { #expect(EncryptedText.decrypt(String(text.prefix(count)), key: key) == nil) }
    for key in ["", "AAAA", "Zvwv/+uhpFDznZ6SX28Yjg", "AAAAAAAAAAAAAAAAAAAAAA=="] {
      #expect(EncryptedText.decrypt(text, key: key) == nil)
    }
  }

  @Test(
    "Base64 decodes whole groups of its own characters",
    arguments: [
      ("", []), ("Zg==", [0x66]), ("Zm8=", [0x66, 0x6f]), ("Zm9v", [0x66, 0x6f, 0x6f]), ("Zm9", nil), ("Zm9v!", nil),
      ("Z===", nil), ("+/+/", [0xfb, 0xff, 0xbf]),
    ] as [(String, [UInt8]?)])
  func decodesBase64(text: String, bytes: [UInt8]?) { #expect(Base64.decode(text.utf8[...]) == bytes) }

  private static func bytes(_ hex: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = hex[...]
    while !rest.isEmpty {
      if let byte = UInt8(rest.prefix(2), radix: 16) { bytes.append(byte) }
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
