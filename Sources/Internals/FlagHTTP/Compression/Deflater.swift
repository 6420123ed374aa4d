import FlagDomain

/// Writes bytes as one block of the deflate format with fixed codes (RFC 1951, 3.2.6).
struct Deflater {
  private static let window = 32 << 10
  private static let lengths = 3...258
  /// The number of earlier places that are compared at each place.
  private static let attempts = 16

  private var bits: BitOutput
  /// The last place of each hash of three bytes; -1 for none.
  private var heads = [Int32](repeating: -1, count: 1 << 15)
  /// For each place, modulo the window, the last place before with the same hash.
  private var previous = [Int32](repeating: -1, count: Deflater.window)

  init(_ output: [UInt8]) { bits = BitOutput(output) }

  /// Writes the only block.
  mutating func write(_ bytes: borrowing BorrowedBytes) {
    bits.append(0b011, count: 3)
    var place = 0
    while place < bytes.count {
      guard let match = match(at: place, in: bytes) else {
        write(symbol: Int(bytes[place]))
        note(place, in: bytes)
        place += 1
        continue
      }
      write(match)
      for passed in place..<place + match.length { note(passed, in: bytes) }
      place += match.length
    }
    write(symbol: 256)
  }

  mutating func finish() -> [UInt8] { bits.finish() }

  // MARK: Repetitions

  private struct Match {
    var length: Int
    var distance: Int
  }

  private static func hash(_ place: Int, in bytes: borrowing BorrowedBytes) -> Int {
    let three = UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
    return Int((three &* 0x9E37_79B1) >> 17)
  }

  private mutating func note(_ place: Int, in bytes: borrowing BorrowedBytes) {
    guard place + 2 < bytes.count else { return }
    let hash = Self.hash(place, in: bytes)
    previous[place & (Self.window - 1)] = heads[hash]
    heads[hash] = Int32(truncatingIfNeeded: place)
  }

  /// Returns the longest earlier occurrence that the last places with the same hash have; nil if it is too short.
  private func match(at place: Int, in bytes: borrowing BorrowedBytes) -> Match? {
    guard place + 2 < bytes.count else { return nil }
    let limit = min(Self.lengths.upperBound, bytes.count - place)
    var best = Match(length: Self.lengths.lowerBound - 1, distance: 0)
    var candidate = Int(heads[Self.hash(place, in: bytes)])
    for _ in 0..<Self.attempts {
      guard candidate >= 0, place - candidate <= Self.window else { break }
      var length = 0
      while length < limit, bytes[candidate + length] == bytes[place + length] { length += 1 }
      if length > best.length { best = Match(length: length, distance: place - candidate) }
      guard best.length < limit else { break }
      let next = Int(previous[candidate & (Self.window - 1)])
      // The entry of an older place was replaced.
      guard next < candidate else { break }
      candidate = next
    }
    return best.length >= Self.lengths.lowerBound ? best : nil
  }

  // MARK: Codes

  private mutating func write(symbol: Int) {
    switch symbol {
    case ..<144: bits.append(reversing: 0x30 + symbol, count: 8)
    case ..<256: bits.append(reversing: 0x190 + symbol - 144, count: 9)
    case ..<280: bits.append(reversing: symbol - 256, count: 7)
    default: bits.append(reversing: 0xC0 + symbol - 280, count: 8)
    }
  }

  private mutating func write(_ match: Match) {
    // Each length and distance is a code for its highest bits, and then the others.
    if match.length == Self.lengths.upperBound {
      write(symbol: 285)
    } else {
      let length = Scaled(match.length - 3, exactBits: 2)
      write(symbol: 257 + length.code)
      bits.append(UInt64(length.rest), count: length.restBits)
    }
    let distance = Scaled(match.distance - 1, exactBits: 1)
    bits.append(reversing: distance.code, count: 5)
    bits.append(UInt64(distance.rest), count: distance.restBits)
  }

  /// A number as the code of its first bits, and the rest: the codes of lengths and distances grow like logarithms.
  private struct Scaled {
    let code: Int
    let rest: Int
    let restBits: Int

    init(_ number: Int, exactBits: Int) {
      let bits = Int.bitWidth - number.leadingZeroBitCount
      restBits = max(0, bits - 1 - exactBits)
      code = restBits << exactBits + number >> restBits
      rest = number & (1 << restBits - 1)
    }
  }
}

/// Bytes that are filled bit by bit, from the lowest bit on.
private struct BitOutput {
  private var bytes: [UInt8]
  private var pending: UInt64 = 0
  private var count = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func append(_ value: UInt64, count: Int) {
    pending |= value << UInt64(self.count)
    self.count += count
    while self.count >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      self.count -= 8
    }
  }

  /// Appends a Huffman code, whose highest bit is first.
  mutating func append(reversing code: Int, count: Int) {
    var reversed: UInt64 = 0
    for bit in 0..<count where code & (1 << bit) != 0 { reversed |= 1 << UInt64(count - 1 - bit) }
    append(reversed, count: count)
  }

  mutating func finish() -> [UInt8] {
    if count > 0 { bytes.append(UInt8(truncatingIfNeeded: pending)) }
    (pending, count) = (0, 0)
    return bytes
  }
}
