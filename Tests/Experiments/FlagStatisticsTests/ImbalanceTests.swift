import FlagStatistics
import TestSupport
import Testing

@Suite("Imbalance between variants", .computing)
struct ImbalanceTests {
  @Test("Every figure is that of the exact test")
  func meetsVectors() throws {
    let vectors = try ReferenceVector.all(in: "experiments.jsonl").filter { $0.kind == "imbalance" }
    #expect(vectors.count == 15)
    for vector in vectors {
      let test = try ImbalanceTest(
        counts: vector.input["counts"].elements.map { try $0.integer },
        users: vector.input["users"].elements.map { try $0.integer })
      try vector.expect(test.pValue, vector.output["p"])
    }
  }

  @Test("Users who are marked by chance fail at most as often as the p-value says, also in small and uneven groups")
  func holdsLevel() throws {
    var generator = SeededGenerator(seed: 5)
    for (small, large, share) in [(20, 180, 0.02), (50, 50, 0.1), (10, 500, 0.01)] {
      let rejected = try Share(of: Effort.rounds(500, thorough: 2_000)) {
        let counts = [small, large].map { users in
          (0..<users).count { _ in Double.random(in: 0..<1, using: &generator) < share }
        }
        return try ImbalanceTest(counts: counts, users: [small, large]).pValue < 0.05
      }
      #expect(rejected.isAtMost(0.05), "\(rejected) of \(small) and \(large)")
    }
  }

  @Test("Counts of any size have an answer at once, and large ones that of the chi-squared test")
  func takesAnyCount() throws {
    #expect(try ImbalanceTest(counts: [.max / 4, .max / 8], users: [.max / 2, .max / 2]).pValue == 0)
    let even = try ImbalanceTest(counts: [1_000_000, 1_001_000], users: [3_000_000, 3_000_000]).pValue
    #expect(even.isClose(to: 0.386, within: 0.01), "\(even)")
    #expect(try ImbalanceTest(counts: [0, 1_000_000], users: [1_000_000, 10_000_000]).pValue == 0)
    #expect(try ImbalanceTest(counts: [], users: []).pValue == 1)
  }

  @Test(
    "Impossible counts are an error",
    arguments: [([1], [1, 2]), ([-1, 0], [1, 1]), ([2, 0], [1, 1])] as [([Int], [Int])])
  func refuses(counts: [Int], users: [Int]) {
    #expect(throws: StatisticsError.self) { try ImbalanceTest(counts: counts, users: users) }
  }
}
