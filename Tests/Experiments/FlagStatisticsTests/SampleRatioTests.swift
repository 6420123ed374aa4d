import FlagStatistics
import TestSupport
import Testing

@Suite("Sample ratio")
struct SampleRatioTests {
  @Test(
    "The alarm sounds under 0.001, and for users where none should be",
    arguments: [
      ([5_000, 5_000], [1, 1], false), ([5_164, 4_836], [1, 1], false), ([5_165, 4_835], [1, 1], true),
      ([500, 0, 500], [1, 0, 1], false), ([500, 1, 500], [1, 0, 1], true), ([0, 0], [1, 1], false),
      ([0, 1], [0, 0], true), ([0, 0], [0, 0], false), ([7], [1], false), ([], [], false), ([0, 3], [1, 0], true),
      ([1, 1], [1e308, 1e308], false), ([1, 1_000_000], [.leastNonzeroMagnitude, 1], true),
      ([.max, .max], [1, 1], false),
    ] as [([Int], [Double], Bool)])
  func sounds(users: [Int], weights: [Double], isMismatch: Bool) throws {
    let test = try SampleRatioTest(users: users, weights: weights)
    #expect(test.isMismatch == isMismatch, "\(test)")
    #expect((0...1).contains(test.pValue))
  }

  @Test("Variants without weight take no degree of freedom, and are named where they have users")
  func skipsVariants() throws {
    let test = try SampleRatioTest(users: [510, 3, 490, 0], weights: [2, 0, 2, 0])
    #expect(test.degreesOfFreedom == 1 && test.unexpected == [1])
    #expect(test.chiSquared.isClose(to: 0.4) && test.pValue == 0)
  }

  @Test(
    "Numbers that cannot be are rejected, by name",
    arguments: [
      ([1], [], "weights"), ([1, -1], [1, 1], "users[1]"), ([1, 1], [-1, 1], "weights[0]"),
      ([1, 1], [1, .nan], "weights[1]"), ([1, 1], [1, .infinity], "weights[1]"),
    ] as [([Int], [Double], String)])
  func rejects(users: [Int], weights: [Double], subject: String) {
    do throws(StatisticsError) {
      _ = try SampleRatioTest(users: users, weights: weights)
      Issue.record("accepted")
    } catch {
      #expect((error.code, error.subject) == (.invalidArgument, subject))
    }
  }

  @Test("Users that are assigned at random sound the alarm one time in a thousand")
  func isCalibrated() throws {
    var generator = SeededGenerator(seed: 1)
    let alarms = try Share(of: 5_000) {
      let succeeding = (0..<40).reduce(0) { sum, _ in sum + generator.next().nonzeroBitCount }
      return try SampleRatioTest(users: [succeeding, 40 * 64 - succeeding], weights: [1, 1]).isMismatch
    }
    #expect(alarms.agrees(with: 0.001), "\(alarms)")
  }
}
