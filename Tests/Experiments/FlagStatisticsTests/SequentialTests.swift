import FlagStatistics
import TestSupport
import Testing

@Suite("Sequential tests")
struct SequentialTests {
  @Test("Of 2,000 A/A experiments with 50 looks, the fixed test finds something in a third, the sequential one in few")
  func holdsAtAllLooks() throws {
    let found = try Self.experiments(2_000, looks: 50)
    #expect((560...760).contains(found.fixed), "\(found)")
    #expect((2...100).contains(found.sequential), "\(found)")
  }

  @Test("An effect that exists is found")
  func findsEffects() throws {
    let found = try Self.experiments(100, looks: 50, hasEffect: true)
    #expect(found.sequential > 95, "\(found)")
  }

  @Test("A tuning that is not above 0 finds nothing", arguments: [-1, 0, .infinity, .nan])
  func boundsTuning(tuning: Double) throws {
    let difference = try MeanDifference(of: SampleStatistics([1, 2, 3]), over: SampleStatistics([101, 102, 103]))
    let test = SequentialTest(tuning: tuning)
    for scale in MeanDifference.Scale.allCases {
      #expect(test.confidenceInterval(of: difference, on: scale) == .unbounded)
    }
    #expect(test.pValue(of: difference) == 1 && test.rho == nil)
  }

  /// How many of some experiments find an effect at some look, at 5 %.
  ///
  /// Between looks, 64 users come into each group; as many succeed as a random word has bits set in both halves of a
  /// pair.
  private static func experiments(
    _ count: Int, looks: Int, hasEffect: Bool = false
  ) throws -> (fixed: Int, sequential: Int) {
    var generator = SeededGenerator(seed: 20_260_401)
    let test = SequentialTest()
    var found = (fixed: 0, sequential: 0)
    for _ in 0..<count {
      var (control, treatment) = (ProportionStatistics(), ProportionStatistics())
      var (isFixed, isSequential) = (false, false)
      for _ in 0..<looks {
        control.merge(try ProportionStatistics(count: 64, successes: quarter(&generator).nonzeroBitCount))
        let bits = hasEffect ? quarter(&generator) | quarter(&generator) : quarter(&generator)
        treatment.merge(try ProportionStatistics(count: 64, successes: bits.nonzeroBitCount))
        let difference = try MeanDifference(of: treatment, over: control)
        isFixed = isFixed || difference.pValue < 0.05
        isSequential = isSequential || test.pValue(of: difference) < 0.05
      }
      found.fixed += isFixed ? 1 : 0
      found.sequential += isSequential ? 1 : 0
    }
    return found
  }

  /// A word with a quarter of its bits set, each at random.
  private static func quarter(_ generator: inout SeededGenerator) -> UInt64 { generator.next() & generator.next() }
}
