/// 128 bits that stand for a text; that two of ten million texts have the same is as likely as one in 10^24.
///
/// MurmurHash3 x64 128 with seed 0, by A. Appleby: the same in every run and on every machine.
struct Digest: Hashable, Sendable {
  let high: UInt64
  let low: UInt64

  init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

}

extension Digest {
  private static let first: UInt64 = 0x87c3_7b91_1142_53d5
  private static let second: UInt64 = 0x4cf5_ad43_2745_937f

  init(of text: String) {
    var (a, b): (UInt64, UInt64) = (0, 0)
    var (wordA, wordB): (UInt64, UInt64) = (0, 0)
    var count = 0
    for byte in text.utf8 {
      let shift = UInt64(count & 7) * 8
      if count & 8 == 0 { wordA |= UInt64(byte) << shift } else { wordB |= UInt64(byte) << shift }
      count += 1
      guard count & 15 == 0 else { continue }
      a = ((a ^ Self.scrambleFirst(wordA)).rotated(by: 27) &+ b) &* 5 &+ 0x52dc_e729
      b = ((b ^ Self.scrambleSecond(wordB)).rotated(by: 31) &+ a) &* 5 &+ 0x3849_5ab5
      (wordA, wordB) = (0, 0)
    }
    // A word without bytes is 0 and changes nothing.
    a ^= Self.scrambleFirst(wordA) ^ UInt64(count)
    b ^= Self.scrambleSecond(wordB) ^ UInt64(count)
    a &+= b
    b &+= a
    (a, b) = (Self.finish(a), Self.finish(b))
    a &+= b
    (high, low) = (a, b &+ a)
  }

  private static func scrambleFirst(_ word: UInt64) -> UInt64 { (word &* first).rotated(by: 31) &* second }
  private static func scrambleSecond(_ word: UInt64) -> UInt64 { (word &* second).rotated(by: 33) &* first }

  private static func finish(_ word: UInt64) -> UInt64 {
    var word = (word ^ word >> 33) &* 0xff51_afd7_ed55_8ccd
    word = (word ^ word >> 33) &* 0xc4ce_b9fe_1a85_ec53
    return word ^ word >> 33
  }
}

extension UInt64 {
  fileprivate func rotated(by bits: UInt64) -> UInt64 { self << bits | self >> (64 - bits) }
}
