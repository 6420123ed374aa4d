import FlagDomain

/// The hash function SHA-1 (FIPS 180-4), by which other services assign users to buckets; it is not for security.
///
/// It is a value without heap memory: a copy continues from the bytes that were added before.
struct SHA1: Sendable {
  private typealias State = (a: UInt32, b: UInt32, c: UInt32, d: UInt32, e: UInt32)

  private var state: State = (0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0)
  /// The bytes of the block that is not full yet, with zeros after them, in the order of memory.
  private var block = SIMD16<UInt32>(repeating: 0)
  private var count: UInt64 = 0

  init() {}

  /// Adds bytes.
  mutating func append(_ bytes: borrowing BorrowedBytes) {
    var start = 0
    while start < bytes.count {
      let place = Int(count & 63)
      let length = min(64 - place, bytes.count - start)
      // The part fits between its place and the end of the block; the pointer is used only while the closure runs.
      unsafe withUnsafeMutableBytes(of: &block) { block in
        unsafe bytes.copy(from: start, to: UnsafeMutableRawBufferPointer(rebasing: block[place..<place + length]))
      }
      start += length
      count += UInt64(length)
      if count & 63 == 0 { endBlock() }
    }
  }

  /// Adds the bytes of a text in UTF-8.
  mutating func append(_ text: String) { text.withBytes { append($0) } }

  /// Returns the hash of the added bytes as five words.
  consuming func words() -> [UInt32] {
    end()
    return [state.a, state.b, state.c, state.d, state.e]
  }

  /// Returns the first 64 bits of the hash of the added bytes.
  consuming func firstWord() -> UInt64 {
    end()
    return UInt64(state.a) << 32 | UInt64(state.b)
  }

  /// Adds a one bit, zeros, which a block has anyway, and the length in bits.
  private mutating func end() {
    let bits = count * 8
    let place = Int(count & 63)
    block[place / 4] |= UInt32(littleEndian: 0x80 << UInt32(place % 4 * 8))
    if place >= 56 { endBlock() }
    block[14] = UInt32(truncatingIfNeeded: bits >> 32).bigEndian
    block[15] = UInt32(truncatingIfNeeded: bits).bigEndian
    endBlock()
  }

  /// Mixes a full block into the state, and begins the next one.
  private mutating func endBlock() {
    var words = block
    // The pointer is used only while the closure runs, for the sixteen words.
    state = unsafe withUnsafeMutableBytes(of: &words) { [state] bytes in
      unsafe bytes.withMemoryRebound(to: UInt32.self) { unsafe Self.mix(Schedule(words: $0), into: state) }
    }
    block = SIMD16(repeating: 0)
  }

  /// Returns the state after the 80 rounds of a block of sixteen words.
  private static func mix(_ words: Schedule, into state: State) -> State {
    for index in 0..<16 { words[index] = UInt32(bigEndian: words[index]) }
    var next = state
    var round = 0
    while round < 20 {
      step(&next, next.b & next.c | ~next.b & next.d, 0x5a82_7999, words, &round)
    }
    while round < 40 { step(&next, next.b ^ next.c ^ next.d, 0x6ed9_eba1, words, &round) }
    while round < 60 {
      step(&next, next.b & next.c | next.b & next.d | next.c & next.d, 0x8f1b_bcdc, words, &round)
    }
    while round < 80 { step(&next, next.b ^ next.c ^ next.d, 0xca62_c1d6, words, &round) }
    return (state.a &+ next.a, state.b &+ next.b, state.c &+ next.c, state.d &+ next.d, state.e &+ next.e)
  }

  @inline(__always)
  private static func step(
    _ state: inout State, _ mixed: UInt32, _ constant: UInt32, _ words: Schedule,
    _ round: inout Int
  ) {
    var word = words[round]
    if round >= 16 {
      word ^= words[round + 13] ^ words[round + 8] ^ words[round + 2]
      word = word << 1 | word >> 31
      words[round] = word
    }
    let a = (state.a << 5 | state.a >> 27) &+ mixed &+ state.e &+ constant &+ word
    state = (a, state.a, state.b << 30 | state.b >> 2, state.c, state.d)
    round += 1
  }

  /// The sixteen words of a block, and later those that follow from them.
  ///
  /// It is safe, since a place counts modulo sixteen, and only `endBlock` makes one, while it lends the words.
  @safe
  private struct Schedule {
    fileprivate let words: UnsafeMutableBufferPointer<UInt32>

    @inline(__always)
    subscript(place: Int) -> UInt32 {
      get { unsafe words[place & 15] }
      nonmutating set { unsafe words[place & 15] = newValue }
    }
  }
}
