import FlagDomain

/// An encoder of values in the deterministic encoding of RFC 8949 section 4.2.1, in which equal values have equal
/// bytes.
///
/// A double without a fraction is written as an integer, if it is in the range of CBOR's integers.
struct CBOREncoder<Sink: ByteSink> {
  private(set) var sink: Sink

  init(into sink: Sink) { self.sink = sink }

  /// Writes a value, or returns false if it nests too deep to be written.
  mutating func write(_ value: FlagValue, levels: Int = RuleLimits.bucketLevels) -> Bool {
    switch value {
    case .null: sink.write(0xf6)
    case .bool(let value): sink.write(value ? 0xf5 : 0xf4)
    case .int(let value): write(value)
    case .double(let value, _): write(value)
    case .string(let value): write(value)
    case .array(let elements): return write(elements, levels: levels)
    case .object(let fields): return write(fields, levels: levels)
    }
    return true
  }

  mutating func write(_ string: String) {
    writeTextHead(count: string.utf8.count)
    sink.write(string)
  }

  /// Writes the head of a string with a length in bytes of UTF-8.
  mutating func writeTextHead(count: Int) { writeHead(.text, UInt64(count)) }

  /// Writes the head of an array with a number of elements.
  mutating func writeArrayHead(count: Int) { writeHead(.array, UInt64(count)) }

  private enum Major: UInt8 {
    case unsigned = 0x00
    case negative = 0x20
    case text = 0x60
    case array = 0x80
    case map = 0xa0
  }

  private mutating func writeHead(_ major: Major, _ argument: UInt64) {
    let first = major.rawValue
    switch argument {
    case 0..<24: sink.write(first | UInt8(argument))
    case 24...0xff: write(first | 24, UInt8(argument))
    case 0x100...0xffff: write(first | 25, UInt16(argument))
    case 0x1_0000...0xffff_ffff: write(first | 26, UInt32(argument))
    default: write(first | 27, argument)
    }
  }

  private mutating func write(_ first: UInt8, _ argument: some FixedWidthInteger & UnsignedInteger) {
    sink.write(first)
    sink.write(bigEndian: argument)
  }

  private mutating func write(_ value: Int128) {
    if let unsigned = UInt64(exactly: value) {
      writeHead(.unsigned, unsigned)
    } else if value < 0, let argument = UInt64(exactly: -1 - value) {
      writeHead(.negative, argument)
    } else {
      writeFloat(Double(value))
    }
  }

  private mutating func write(_ value: Double) {
    if let whole = Int64(exactly: value) {
      write(Int128(whole))
    } else if let whole = UInt64(exactly: value) {
      writeHead(.unsigned, whole)
    } else {
      writeFloat(value)
    }
  }

  private mutating func writeFloat(_ value: Double) {
    if value.isNaN {
      write(0xf9, 0x7e00 as UInt16)
    } else if let half = HalfPrecision(exactly: value) {
      write(0xf9, half.bitPattern)
    } else if let single = Float(exactly: value) {
      write(0xfa, single.bitPattern)
    } else {
      write(0xfb, value.bitPattern)
    }
  }

  private mutating func write(_ elements: [FlagValue], levels: Int) -> Bool {
    guard levels > 0 else { return false }
    writeArrayHead(count: elements.count)
    return elements.allSatisfy { write($0, levels: levels - 1) }
  }

  private mutating func write(_ fields: [String: FlagValue], levels: Int) -> Bool {
    guard levels > 0 else { return false }
    writeHead(.map, UInt64(fields.count))
    // Keys are in the order of their encoded bytes: the shorter first, because the length comes first.
    let inOrder = fields.sorted {
      $0.key.utf8.count == $1.key.utf8.count
        ? $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) : $0.key.utf8.count < $1.key.utf8.count
    }
    return inOrder.allSatisfy { field in
      write(field.key)
      return write(field.value, levels: levels - 1)
    }
  }
}
