import FlagEvents
import Testing

@Suite("Losses of events")
struct TrackedLossTests {
  @Test("Positions are spread evenly, are the same in every process, and are independent of the sampling rate")
  func spreadsUnits() {
    let units = (0..<20_000).map { "user-\($0)" }
    var tenths = [[Int]](repeating: [0, 0], count: 10)
    for unit in units {
      let isSampled = UnitHash(seed: "").position(of: unit) < 0.5
      tenths[Int(TrackedLoss.position(of: unit) * 10)][isSampled ? 1 : 0] += 1
    }
    // 1,000 are expected in each cell, with a standard deviation of 31.
    #expect(tenths.allSatisfy { $0.allSatisfy { (870...1130).contains($0) } }, "\(tenths)")
    #expect(
      ["", "ann", "\u{E9}"].map(TrackedLoss.position) == [0.76388963004395, 0.9153237534174565, 0.289007405087675])
  }
}
