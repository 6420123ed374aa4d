import FlagDomain
import Testing

@testable import FlagLaunchDarkly

@Suite("SHA-1")
struct SHA1Tests {
  @Test(
    "Hashes are those of FIPS 180-4's examples",
    arguments: [
      ("", 1, [0xda39_a3ee, 0x5e6b_4b0d, 0x3255_bfef, 0x9560_1890, 0xafd8_0709]),
      ("abc", 1, [0xa999_3e36, 0x4706_816a, 0xba3e_2571, 0x7850_c26c, 0x9cd0_d89d]),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
        [0x8498_3e44, 0x1c3b_d26e, 0xbaae_4aa1, 0xf951_29e5, 0xe546_70f1]
      ),
      (
        "0123456701234567012345670123456701234567012345670123456701234567", 10,
        [0xdea3_56a2, 0xcddd_90c7, 0xa7ec_edc5, 0xebb5_6393, 0x4f46_0452]
      ),
    ] as [(String, Int, [UInt32])])
  func hashes(text: String, times: Int, words: [UInt32]) {
    var hash = SHA1()
    for _ in 0..<times { hash.append(text) }
    let copy = hash
    #expect(hash.words() == words)
    #expect(copy.firstWord() == UInt64(words[0]) << 32 | UInt64(words[1]))
  }

  @Test("A copy continues from the bytes that were added before, at any place of a block", arguments: 0...130)
  func continues(count: Int) {
    let bytes = (0..<130).map { UInt8($0) }
    var whole = SHA1()
    for byte in bytes { [byte].withBytes { whole.append($0) } }
    var start = SHA1()
    bytes[..<count].withBytes { start.append($0) }
    var end = start
    bytes[count...].withBytes { end.append($0) }
    #expect(end.words() == whole.words())
  }
}
