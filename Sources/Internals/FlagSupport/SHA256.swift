import FlagDomain

/// The hash function SHA-256 (FIPS 180-4), for names and checksums of data, and for keyed hashes of ids.
package struct SHA256 {
  /// Returns the hash of bytes, in hexadecimal digits.
  package static func hex(of bytes: some Collection<UInt8>) -> String {
    hex(of: hash(bytes))
  }

  /// Returns the keyed hash HMAC-SHA-256 of bytes (RFC 2104, FIPS 198-1), in hexadecimal digits.
  package static func hex(of bytes: some Collection<UInt8>, key: [UInt8]) -> String {
    let short = key.count > 64 ? Self.bytes(of: hash(key)) : key
    let block = short + [UInt8](repeating: 0, count: 64 - short.count)
    let inner = Self.bytes(of: hash(block.map { $0 ^ 0x36 } + bytes))
    return hex(of: hash(block.map { $0 ^ 0x5C } + inner))
  }

  private static func bytes(of words: [UInt32]) -> [UInt8] {
    words.flatMap { word in stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) } }
  }

  private static func hex(of words: [UInt32]) -> String { words.map(\.hexDigits).joined() }

  /// Returns the hash as eight words.
  private static func hash(_ bytes: some Collection<UInt8>) -> [UInt32] {
    bytes.withBytes { hash($0) }
  }

  private static func hash(_ message: borrowing BorrowedBytes) -> [UInt32] {
    let whole = message.count & ~63
    var state = SIMD8<UInt32>(
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19)
    var words = [UInt32](repeating: 0, count: 64)
    compress(message, upTo: whole, &words, into: &state)
    padded((whole..<message.count).map { message[$0] }, of: message.count).withBytes { rest in
      compress(rest, upTo: rest.count, &words, into: &state)
    }
    return state.indices.map { state[$0] }
  }

  /// Returns the end of a message, a one bit, zeros up to a whole block, and the message's length in bits.
  private static func padded(_ end: [UInt8], of count: Int) -> [UInt8] {
    var rest = end + [0x80]
    rest.append(contentsOf: repeatElement(0, count: (120 - rest.count % 64) % 64))
    for shift in stride(from: 56, through: 0, by: -8) {
      rest.append(UInt8(truncatingIfNeeded: (UInt64(count) * 8) >> UInt64(shift)))
    }
    return rest
  }

  /// Processes blocks of 64 bytes.
  private static func compress(
    _ bytes: borrowing BorrowedBytes, upTo end: Int, _ words: inout [UInt32], into state: inout SIMD8<UInt32>
  ) {
    // The buffers do not escape the closures, and have 64 words each. Documents of megabytes are hashed: with arrays,
    // unoptimized code takes a second for each of them.
    unsafe words.withUnsafeMutableBufferPointer { words in
      unsafe constants.withUnsafeBufferPointer { constants in
        var start = 0
        while start < end {
          unsafe schedule(bytes, from: start, words)
          unsafe mix(words, constants, into: &state)
          start += 64
        }
      }
    }
  }

  /// Writes the 64 words of a block.
  private static func schedule(
    _ bytes: borrowing BorrowedBytes, from start: Int, _ words: UnsafeMutableBufferPointer<UInt32>
  ) {
    var index = 0
    while index < 16 {
      unsafe words[index] = UInt32(bigEndian: bytes.load(at: start + index * 4, as: UInt32.self))
      index += 1
    }
    while index < 64 {
      let (early, late) = unsafe (words[index - 15], words[index - 2])
      let one = (early >> 7 | early << 25) ^ (early >> 18 | early << 14) ^ early >> 3
      let two = (late >> 17 | late << 15) ^ (late >> 19 | late << 13) ^ late >> 10
      unsafe words[index] = words[index - 16] &+ one &+ words[index - 7] &+ two
      index += 1
    }
  }

  /// Mixes the words of a block into the state, in 64 rounds.
  private static func mix(
    _ words: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>,
    into state: inout SIMD8<UInt32>
  ) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    var index = 0
    while index < 64 {
      let one = (e >> 6 | e << 26) ^ (e >> 11 | e << 21) ^ (e >> 25 | e << 7)
      let first = unsafe h &+ one &+ (e & f ^ ~e & g) &+ constants[index] &+ words[index]
      let two = (a >> 2 | a << 30) ^ (a >> 13 | a << 19) ^ (a >> 22 | a << 10)
      let second = two &+ (a & b ^ a & c ^ b & c)
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ second)
      index += 1
    }
    state &+= SIMD8(a, b, c, d, e, f, g, h)
  }

  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
