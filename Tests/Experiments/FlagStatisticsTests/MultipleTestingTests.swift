import FlagStatistics
import TestSupport
import Testing

@Suite("Multiple testing")
struct MultipleTestingTests {
  // Computed by hand: of m p-values in order, Holm takes the i-th times m - i + 1 and keeps the largest so far,
  // Benjamini and Hochberg take it times m / i and keep the smallest from there on.
  @Test(
    "P-values are corrected as by hand",
    arguments: [
      (.holm, [0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
      (.benjaminiHochberg, [0.01, 0.04, 0.03, 0.005], [0.02, 0.04, 0.04, 0.02]),
      (.holm, [0.5, 0.5, 0.001], [1, 1, 0.003]), (.benjaminiHochberg, [0.5, 0.5, 0.001], [0.5, 0.5, 0.003]),
      (.holm, [0.02], [0.02]), (.benjaminiHochberg, [0.02], [0.02]), (.holm, [], []), (.benjaminiHochberg, [], []),
      (.holm, [0, 1], [0, 1]), (.benjaminiHochberg, [0, 1], [0, 1]),
    ] as [(MultipleTesting, [Double], [Double])])
  func corrects(method: MultipleTesting, pValues: [Double], expected: [Double]) throws {
    for (found, expected) in zip(method.adjusted(pValues), expected) {
      #expect(try #require(found).isClose(to: expected))
    }
    #expect(method.adjusted(pValues).count == expected.count)
  }

  @Test("A family is all metrics times all variants, without guardrails and what has no answer")
  func spansFamily() {
    // Rows are metrics, columns variants; the third metric is a guardrail.
    let pValues: [[Double?]] = [[0.01, nil], [0.02, 0.2], [nil, nil]]
    #expect(MultipleTesting.holm.adjusted(pValues.flatMap { $0 }) == [0.03, nil, 0.04, 0.2, nil, nil])
  }

  @Test("What is no probability is left out", arguments: MultipleTesting.allCases)
  func leavesOut(method: MultipleTesting) {
    #expect(method.adjusted([.nan, 0.03, -1, 2, .infinity]) == [nil, 0.03, nil, nil, nil])
  }

  @Test("Corrections keep the order, never lower a p-value, and Holm's is the stricter")
  func ordersValues() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<200 {
      let pValues = (0..<12).map { _ in generator.uniform() * generator.uniform() }.sorted()
      let (holm, hochberg) = (
        MultipleTesting.holm.adjusted(pValues).compactMap { $0 },
        MultipleTesting.benjaminiHochberg.adjusted(pValues).compactMap { $0 }
      )
      #expect(holm == holm.sorted() && hochberg == hochberg.sorted())
      #expect(
        zip(pValues, hochberg).allSatisfy { $0 <= $1 } && zip(hochberg, holm).allSatisfy { $0 <= $1 * (1 + 1e-15) })
      #expect(holm.allSatisfy { $0 <= 1 })
    }
  }

  @Test("Holm keeps any false finding, and Benjamini and Hochberg the share of false ones, under 5 %")
  func keepsPromise() {
    var generator = SeededGenerator(seed: 2)
    var (families, falseShare) = (0, 0.0)
    for _ in 0..<4_000 {
      // Of ten tests, five have an effect.
      let pValues = (0..<10).map { test in
        2 * NormalDistribution().upperTail(at: generator.normal(mean: test < 5 ? 3 : 0).magnitude)
      }
      let findings = { (method: MultipleTesting) in
        method.adjusted(pValues).enumerated().filter { ($0.element ?? 1) < 0.05 }.map(\.offset)
      }
      families += findings(.holm).contains { $0 >= 5 } ? 1 : 0
      let found = findings(.benjaminiHochberg)
      falseShare += Double(found.count { $0 >= 5 }) / Double(max(1, found.count))
    }
    #expect((40...200).contains(families), "\(families)")
    #expect((0.015...0.05).contains(falseShare / 4_000), "\(falseShare)")
  }
}
