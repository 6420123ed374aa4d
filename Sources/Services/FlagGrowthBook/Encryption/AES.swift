/// The block cipher AES, for decrypting (FIPS 197).
///
/// One implementation for all systems: CommonCrypto is not on Linux, and documents are small.
struct AES {
  /// The keys of the rounds, each of four columns.
  private let keys: [[UInt32]]

  /// Creates the cipher of a key of 128, 192 or 256 bits; nil for one of another length.
  init?(key: [UInt8]) {
    let length = key.count / 4
    guard key.count % 4 == 0, [4, 6, 8].contains(length) else { return nil }
    var words = stride(from: 0, to: key.count, by: 4).map { UInt32(bytes: key[$0..<$0 + 4]) }
    var constant: UInt8 = 1
    while words.count < 4 * (length + 7) {
      var word = words[words.count - 1]
      if words.count % length == 0 {
        word = Self.substituted(word << 8 | word >> 24) ^ UInt32(constant) << 24
        constant = Self.doubled(constant)
      } else if length > 6, words.count % length == 4 {
        word = Self.substituted(word)
      }
      words.append(words[words.count - length] ^ word)
    }
    keys = stride(from: 0, to: words.count, by: 4).map { Array(words[$0..<$0 + 4]) }
  }

  /// Decrypts one block of 16 bytes.
  func decrypt(_ block: ArraySlice<UInt8>, into state: inout [UInt8]) {
    var bytes = Array(block)
    for place in 0..<16 { bytes[place] ^= key(of: keys.count - 1, place) }
    for round in (0..<keys.count - 1).reversed() {
      for place in 0..<16 {
        // The bytes of row r move right by r columns.
        state[place] = Self.inverse[Int(bytes[(place + 16 - 4 * (place % 4)) % 16])] ^ key(of: round, place)
      }
      if round > 0 { Self.unmix(state, into: &bytes) }
    }
  }

  private func key(of round: Int, _ place: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: keys[round][place / 4] >> UInt32(24 - 8 * (place % 4)))
  }

  /// Multiplies each column of a state by the inverse of the mixing polynomial.
  private static func unmix(_ state: [UInt8], into result: inout [UInt8]) {
    for place in 0..<16 {
      let column = place & ~3
      var sum = products[14][Int(state[place])]
      sum ^= products[11][Int(state[column + (place + 1) % 4])]
      sum ^= products[13][Int(state[column + (place + 2) % 4])]
      sum ^= products[9][Int(state[column + (place + 3) % 4])]
      result[place] = sum
    }
  }

  private static func substituted(_ word: UInt32) -> UInt32 {
    var result: UInt32 = 0
    for shift in stride(from: UInt32(0), to: 32, by: 8) { result |= UInt32(box[Int(word >> shift & 0xff)]) << shift }
    return result
  }

  private static func doubled(_ byte: UInt8) -> UInt8 { byte << 1 ^ (byte & 0x80 == 0 ? 0 : 0x1b) }

  /// The products of the factors up to 14 and all bytes, in the field of 256 elements.
  private static let products: [[UInt8]] = (0..<15).map { factor in
    (0...255).map { byte in
      var (sum, power) = (UInt8(0), UInt8(byte))
      for bit in 0..<4 {
        if factor >> bit & 1 == 1 { sum ^= power }
        power = doubled(power)
      }
      return sum
    }
  }

  /// The substitution of bytes: the inverse in the field, and an affine map.
  private static let box: [UInt8] = {
    var box = [UInt8](repeating: 0x63, count: 256)
    var (power, inverse) = (UInt8(1), UInt8(1))
    repeat {
      power ^= doubled(power)  // times 3
      // divided by 3
      inverse ^= inverse << 1
      inverse ^= inverse << 2
      inverse ^= inverse << 4
      if inverse & 0x80 != 0 { inverse ^= 0x09 }
      var sum = inverse
      for shift in UInt8(1)...4 { sum ^= inverse << shift | inverse >> (8 - shift) }
      box[Int(power)] = sum ^ 0x63
    } while power != 1
    return box
  }()

  private static let inverse: [UInt8] = {
    var inverse = [UInt8](repeating: 0, count: 256)
    for (byte, substitute) in box.enumerated() { inverse[Int(substitute)] = UInt8(byte) }
    return inverse
  }()
}

extension UInt32 {
  fileprivate init(bytes: ArraySlice<UInt8>) { self = bytes.reduce(0) { $0 << 8 | UInt32($1) } }
}
