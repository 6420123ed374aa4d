import FlagDomain

/// Compression by the format that HTTP calls gzip (RFC 1952).
///
/// A library for it would be linked otherwise on each system; this one finds repetitions and writes fixed codes, which
/// is enough for JSON: a tenth of it is left.
package enum Gzip {
  /// Returns bytes in compressed form, in linear time.
  package static func compress(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    output.reserveCapacity(64 + bytes.count / 4)
    var deflater = Deflater(output)
    bytes.withBytes { deflater.write($0) }
    output = deflater.finish()
    append(checksum(of: bytes), to: &output)
    append(UInt32(truncatingIfNeeded: bytes.count), to: &output)
    return output
  }

  private static func append(_ number: UInt32, to output: inout [UInt8]) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) { output.append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  /// The CRC-32 of RFC 1952, 8.
  static func checksum(of bytes: [UInt8]) -> UInt32 {
    var checksum: UInt32 = ~0
    for byte in bytes { checksum = table[Int(UInt8(truncatingIfNeeded: checksum) ^ byte)] ^ (checksum >> 8) }
    return ~checksum
  }

  private static let table: [UInt32] = (0..<256).map { number in
    var value = UInt32(number)
    for _ in 0..<8 {
      let shifted = value >> 1
      value = value & 1 == 0 ? shifted : 0xEDB8_8320 ^ shifted
    }
    return value
  }
}
