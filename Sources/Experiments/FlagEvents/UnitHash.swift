import FlagDomain
import FlagSupport

/// A hash that spreads units evenly over 0..<1, in an order that differs for each seed.
package struct UnitHash: Sendable {
  // FNV-1a of 64 bits (Fowler, Noll, Vo), and the finalizer of MurmurHash3, which spreads it over all bits.
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  package init(seed: String) { add(seed) }

  /// The position of a unit, which depends on nothing but the seed and the bytes of its id in UTF-8.
  package func position(of unit: String) -> Double {
    var hash = self
    hash.add(unit)
    return Double(hash.state.spreadOverAllBits >> 11) * 0x1p-53
  }

  private mutating func add(_ text: String) {
    for byte in text.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }
}
