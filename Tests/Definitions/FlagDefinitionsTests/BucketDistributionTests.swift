import FlagDefinitions
import FlagDomain
import FlagStatistics
import Foundation
import TestSupport
import Testing

@Suite("Distribution of buckets", .computing)
struct BucketDistributionTests {
  private static let users = Effort.rounds(5_000, long: 1_000_000)

  /// Flags with ten equal shares; two of them share what decides the buckets.
  private static let document = """
    {"flags": {"a": \(flag("")), "b": \(flag("")),
      "shared-a": \(flag(#"{"var": "targetingKey"}, "#)), "shared-b": \(flag(#"{"var": "targetingKey"}, "#))}}
    """

  private static func flag(_ subject: String) -> String {
    let shares = (0..<10).map { "[\"\($0)\"]" }.joined(separator: ", ")
    let variants = (0..<10).map { "\"\($0)\": \($0)" }.joined(separator: ", ")
    return """
      {"state": "ENABLED", "variants": {\(variants)}, "defaultVariant": "0",
        "targeting": {"fractional": [\(subject)\(shares)]}}
      """
  }

  @Test("The shares of two flags are uniform, and one says nothing of the other", arguments: Bucketing.allCases)
  func isUniform(bucketing: Bucketing) throws {
    let cells = try Self.cells("a", "b", bucketing)
    #expect(try SampleRatioTest(users: cells, weights: .init(repeating: 1, count: 100)).pValue > 0.001)
    let steps = 0..<10
    let first = steps.map { share in steps.reduce(0) { $0 + cells[share * 10 + $1] } }
    let second = steps.map { share in steps.reduce(0) { $0 + cells[$1 * 10 + share] } }
    for shares in [first, second] {
      #expect(try SampleRatioTest(users: shares, weights: .init(repeating: 1, count: 10)).pValue > 0.001)
    }
  }

  @Test("Two flags that share what decides the buckets put users into the same shares")
  func isCorrelated() throws {
    let cells = try Self.cells("shared-a", "shared-b", .v3)
    #expect(cells.enumerated().allSatisfy { index, users in (index / 10 == index % 10) == (users > 0) })
  }

  /// The number of users in each share of one flag and each share of another.
  private static func cells(_ first: String, _ second: String, _ bucketing: Bucketing) throws -> [Int] {
    let flags = try FlagDocument(parsing: Data(document.utf8), bucketing: bucketing)
    var generator = SeededGenerator(seed: 14)
    var cells = [Int](repeating: 0, count: 100)
    for _ in 0..<users {
      let context = EvaluationContext(user: FlagUser(id: String(generator.next(), radix: 36)))
      let shares = try [first, second].map { key in
        try #require(flags.evaluate(key, in: context, at: 0)?.variant.flatMap { Int($0) })
      }
      cells[shares[0] * 10 + shares[1]] += 1
    }
    return cells
  }
}
