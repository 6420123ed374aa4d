/// A destination for a sequence of bytes: a hash, or a buffer.
protocol ByteSink {
  mutating func write(_ byte: UInt8)

  mutating func write(_ string: String)
}

extension ByteSink {
  /// Writes the bytes of an integer, the most significant first.
  mutating func write(bigEndian value: some FixedWidthInteger & UnsignedInteger) {
    for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
      write(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}

extension [UInt8]: ByteSink {
  mutating func write(_ byte: UInt8) { append(byte) }

  mutating func write(_ string: String) { append(contentsOf: string.utf8) }
}
