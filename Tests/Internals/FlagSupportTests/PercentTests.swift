import FlagSupport
import Testing

@Suite("Percentages")
struct PercentTests {
  @Test(
    "A share has as many decimals as it is given, and more that tell it from none and from all",
    arguments: [
      (0, 1, "0 %"), (1, 1, "100 %"), (0.125, 1, "12.5 %"), (0.125, 0, "13 %"), (1 / 3.0, 2, "33.33 %"),
      (0.2, 2, "20 %"), (0.1 + 0.2, 9, "30 %"), (0.999_999, 2, "99.9999 %"), (0.999_5, 1, "99.95 %"),
      (0.000_001, 2, "0.0001 %"), (-0.999_99, 1, "-99.999 %"), (1.000_01, 1, "100.001 %"), (20, 1, "2,000 %"),
      (1e-300, 1, "nearly 0 %"), (1.0.nextDown, 9, "nearly 100 %"), ((-1.0).nextUp, 2, "nearly -100 %"),
      (.infinity, 1, "∞ %"), (.nan, 1, "? %"),
    ] as [(Double, Int, String)])
  func tellsShares(share: Double, digits: Int, text: String) {
    #expect(share.percent(digits) == text)
  }

  @Test(
    "A part of a sum is all of it only if it is",
    arguments: [
      (0, 3, "0 %"), (3, 3, "100 %"), (1, 3, "33.3 %"), (99_999, 100_000, "99.999 %"), (1, 100_000, "0.001 %"),
      (999_999, 1_000_000, "99.9999 %"), (1, 2_147_483_647, "0.00000005 %"), (1, 8, "12.5 %"), (0, 0, "0 %"),
      (.max - 1, .max, "nearly 100 %"), (1, .max, "nearly 0 %"), (6, 5, "120 %"),
    ] as [(Int, Int, String)])
  func tellsParts(part: Int, sum: Int, text: String) {
    #expect(part.percent(of: sum) == text)
  }

  @Test("Zeros at the end stay on request, and so does the sign of a number above zero")
  func keepsZeros() {
    #expect(0.5.percent(1, isTrimmed: false, signed: true) == "+50.0 %")
    #expect(0.0.percent(2, isTrimmed: false, signed: true) == "0.00 %")
    #expect(0.999_96.percent(1, isTrimmed: false) == "99.996 %")
  }
}
