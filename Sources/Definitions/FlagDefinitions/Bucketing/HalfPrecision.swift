/// The bit pattern of a 16-bit IEEE 754 number.
///
/// The standard library's `Float16` does not exist on every platform.
struct HalfPrecision {
  let bitPattern: UInt16

  init?(exactly value: Double) {
    let sign: UInt16 = value.sign == .minus ? 0x8000 : 0
    let magnitude = value.magnitude
    if magnitude.isInfinite {
      bitPattern = sign | 0x7c00
    } else if magnitude < 0x1p-14 {
      // Zero and the subnormal numbers are multiples of 2^-24.
      guard let steps = UInt16(exactly: magnitude * 0x1p24) else { return nil }
      bitPattern = sign | steps
    } else {
      guard magnitude < 0x1p16, let steps = UInt16(exactly: magnitude.significand * 0x1p10) else { return nil }
      bitPattern = sign | UInt16(magnitude.exponent + 15) << 10 | steps & 0x3ff
    }
  }
}
