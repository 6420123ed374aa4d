/// A text that is encrypted by AES-CBC with PKCS#7 padding: an initial vector and the ciphertext in base64.
enum EncryptedText {
  /// Decrypts a text; nil if the text or the key is malformed, or the key is not the text's.
  static func decrypt(_ text: String, key: String) -> [UInt8]? {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 2, let vector = Base64.decode(parts[0]), vector.count == 16,
      let cipher = Base64.decode(parts[1]), let key = Base64.decode(key.utf8[...]), let aes = AES(key: key),
      let padded = decrypt(cipher, aes, vector), let last = padded.last
    else { return nil }
    let padding = Int(last)
    guard (1...16).contains(padding), padded.suffix(padding).allSatisfy({ $0 == last }) else { return nil }
    return padded.dropLast(padding)
  }

  /// Decrypts blocks, each of which was combined with the one before it; nil if the last one is incomplete.
  static func decrypt(_ cipher: [UInt8], _ aes: AES, _ vector: [UInt8]) -> [UInt8]? {
    guard cipher.count % 16 == 0 else { return nil }
    var plain: [UInt8] = []
    plain.reserveCapacity(cipher.count)
    var last = vector[...]
    var state = [UInt8](repeating: 0, count: 16)
    for start in stride(from: 0, to: cipher.count, by: 16) {
      let block = cipher[start..<start + 16]
      aes.decrypt(block, into: &state)
      for (byte, other) in zip(state, last) { plain.append(byte ^ other) }
      last = block
    }
    return plain
  }
}

/// The encoding of bytes in 64 characters (RFC 4648 section 4).
enum Base64 {
  /// Decodes a text; nil if it has other characters, or an incomplete group.
  static func decode(_ text: Substring.UTF8View) -> [UInt8]? {
    var digits = text[...]
    var padding = 0
    while digits.last == UInt8(ascii: "="), padding < 2 {
      digits.removeLast()
      padding += 1
    }
    guard (digits.count + padding) % 4 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count * 3 / 4)
    var (bits, count): (UInt32, UInt32) = (0, 0)
    for digit in digits {
      guard let value = value(of: digit) else { return nil }
      bits = bits << 6 | value
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> count))
    }
    return bytes
  }

  private static func value(of digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
