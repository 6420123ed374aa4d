package import FlagDomain

extension FlagValue {
  /// Returns a value of any shape and of some levels at most.
  package static func random(levels: Int, using generator: inout SeededGenerator) -> FlagValue {
    let shape = Int.random(in: 0..<(levels > 0 ? 8 : 6), using: &generator)
    switch shape {
    case 0: return .null
    case 1: return .bool(.random(using: &generator))
    case 2: return .int(randomInteger(using: &generator))
    case 3: return .double(randomDouble(using: &generator))
    case 4, 5: return .string(randomText(using: &generator))
    case 6:
      return .array(
        (0..<Int.random(in: 0...5, using: &generator)).map { _ in random(levels: levels - 1, using: &generator) })
    default:
      let members = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
        (randomText(using: &generator), random(levels: levels - 1, using: &generator))
      }
      return .object(Dictionary(members) { _, last in last })
    }
  }

  /// Returns an integer of any size, the largest and the smallest ones among them.
  private static func randomInteger(using generator: inout SeededGenerator) -> Int128 {
    let edges: [Int128] = [.min, .max, 0, Int128(Int64.min), Int128(Int64.max), Int128(UInt64.max)]
    let edge = edges[Int.random(in: 0..<edges.count, using: &generator)]
    return Bool.random(using: &generator)
      ? edge : Int128.random(in: .min ... .max, using: &generator) >> Int128.random(in: 0...127, using: &generator)
  }

  /// Returns a finite double of any bits.
  private static func randomDouble(using generator: inout SeededGenerator) -> Double {
    let double = Double(bitPattern: generator.next())
    return double.isFinite ? double : -0.0
  }

  /// Returns a text of up to 20 code points of all lengths, those that must be escaped among them.
  private static func randomText(using generator: inout SeededGenerator) -> String {
    let scalars: [ClosedRange<UInt32>] = [
      0...0x7f, 0x20...0x7e, 0x22...0x22, 0x5c...0x5c, 0x80...0x2fff, 0xe000...0x10ffff,
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...20, using: &generator) {
      let range = scalars[Int.random(in: 0..<scalars.count, using: &generator)]
      if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) { text.append(scalar) }
    }
    return String(text)
  }

  /// Whether both are identical to the last bit and code point, unlike with `==`.
  func isIdentical(to other: FlagValue) -> Bool {
    switch (self, other) {
    case (.double(let left, _), .double(let right, _)): left.bitPattern == right.bitPattern
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isIdentical(to: $1) }
    case (.object(let left), .object(let right)):
      left.count == right.count
        && left.allSatisfy { name, value in
          right.index(forKey: name).map { index in
            right[index].key.utf8.elementsEqual(name.utf8) && value.isIdentical(to: right[index].value)
          } ?? false
        }
    default: self == other
    }
  }
}
