import FlagDomain

/// An incremental MurmurHash3 x86 32 hash of bytes and strings.
package struct Murmur3 {
  private var hash: UInt32
  private var block: UInt32 = 0
  private var count: UInt32 = 0

  package init(seed: UInt32 = 0) { hash = seed }

  package var value: UInt32 {
    var hash = hash ^ Self.scramble(block) ^ count
    hash = (hash ^ hash >> 16) &* 0x85eb_ca6b
    hash = (hash ^ hash >> 13) &* 0xc2b2_ae35
    return hash ^ hash >> 16
  }

  private static func scramble(_ block: UInt32) -> UInt32 {
    (block &* 0xcc9e_2d51).rotated(by: 15) &* 0x1b87_3593
  }

  private mutating func mix(_ block: UInt32) {
    hash = (hash ^ Self.scramble(block)).rotated(by: 13) &* 5 &+ 0xe654_6b64
  }
}

extension Murmur3: ByteSink {
  mutating func write(_ byte: UInt8) {
    block |= UInt32(byte) << (8 * (count & 3))
    count &+= 1
    guard count & 3 == 0 else { return }
    mix(block)
    block = 0
  }

  package mutating func write(_ string: String) {
    // A string that does not have its bytes in one piece is hashed byte by byte.
    let isTaken: Void? = string.withBytesIfContiguous { write($0) }
    if isTaken == nil { for byte in string.utf8 { write(byte) } }
  }

  /// Hashes bytes, four at a time if possible.
  mutating func write(_ bytes: borrowing BorrowedBytes) {
    var place = 0
    while count & 3 != 0, place < bytes.count {
      write(bytes[place])
      place += 1
    }
    while bytes.count - place >= 4 {
      mix(UInt32(littleEndian: bytes.load(at: place, as: UInt32.self)))
      count &+= 4
      place += 4
    }
    for place in place..<bytes.count { write(bytes[place]) }
  }
}

extension UInt32 {
  fileprivate func rotated(by bits: UInt32) -> UInt32 { self << bits | self >> (32 - bits) }
}
