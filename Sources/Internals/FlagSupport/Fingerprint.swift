import FlagDomain

/// The hash MurmurHash3 x64 128, which is not collision-resistant against deliberate attacks.
///
/// The algorithm is A. Appleby's, in the public domain, with the seed 0; results are the same on every machine. The
/// probability that two of ten million texts collide is 10^-24.
package struct Fingerprint: Hashable, Sendable, BitwiseCopyable {
  package private(set) var low: UInt64
  package private(set) var high: UInt64

  package init(low: UInt64, high: UInt64) { (self.low, self.high) = (low, high) }

  package init(of bytes: [UInt8]) { self = bytes.withBytes { Self($0) } }

  /// Hashes a text in UTF-8.
  package init(of text: String) { self = text.withBytes { Self($0) } }

  private init(_ bytes: borrowing BorrowedBytes) {
    (low, high) = (0, 0)
    let whole = bytes.count & ~15
    for offset in stride(from: 0, to: whole, by: 16) {
      mix(
        UInt64(littleEndian: bytes.load(at: offset, as: UInt64.self)),
        UInt64(littleEndian: bytes.load(at: offset + 8, as: UInt64.self)))
    }
    var rest: (low: UInt64, high: UInt64) = (0, 0)
    for offset in whole..<bytes.count {
      let byte = UInt64(bytes[offset]) << UInt64((offset & 7) * 8)
      if offset & 8 == 0 { rest.low |= byte } else { rest.high |= byte }
    }
    high ^= Self.scramble(high: rest.high)
    low ^= Self.scramble(low: rest.low)
    finish(count: UInt64(bytes.count))
  }

  private mutating func mix(_ first: UInt64, _ second: UInt64) {
    low ^= Self.scramble(low: first)
    low = (Self.rotate(low, 27) &+ high) &* 5 &+ 0x52dc_e729
    high ^= Self.scramble(high: second)
    high = (Self.rotate(high, 31) &+ low) &* 5 &+ 0x3849_5ab5
  }

  private mutating func finish(count: UInt64) {
    low ^= count
    high ^= count
    low &+= high
    high &+= low
    low = low.spreadOverAllBits
    high = high.spreadOverAllBits
    low &+= high
    high &+= low
  }

  private static func scramble(low block: UInt64) -> UInt64 {
    rotate(block &* 0x87c3_7b91_1142_53d5, 31) &* 0x4cf5_ad43_2745_937f
  }

  private static func scramble(high block: UInt64) -> UInt64 {
    rotate(block &* 0x4cf5_ad43_2745_937f, 33) &* 0x87c3_7b91_1142_53d5
  }

  private static func rotate(_ word: UInt64, _ bits: UInt64) -> UInt64 { word << bits | word >> (64 - bits) }
}

extension UInt64 {
  /// The word after MurmurHash3's finalizer: each input bit changes about half of the output bits.
  package var spreadOverAllBits: UInt64 {
    var word = (self ^ self >> 33) &* 0xff51_afd7_ed55_8ccd
    word = (word ^ word >> 33) &* 0xc4ce_b9fe_1a85_ec53
    return word ^ word >> 33
  }
}

extension Fingerprint: CustomStringConvertible {
  package var description: String { low.hexDigits + high.hexDigits }
}

extension FixedWidthInteger where Self: UnsignedInteger {
  /// The number in hexadecimal digits, with leading zeros.
  package var hexDigits: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: Self.bitWidth / 4 - digits.utf8.count) + digits
  }
}
