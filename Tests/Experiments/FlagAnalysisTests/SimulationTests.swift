import FlagAnalysis
import FlagDomain
import FlagEvents
import FlagStatistics
import Testing

@Suite("Simulated experiments")
struct SimulationTests {
  @Test("More users do not change those before them, and another seed changes all")
  func isSeeded() throws {
    var simulation = Simulation()
    simulation.behaviors = [try Simulation.Behavior("purchase=50%:10")]
    let exposure = TrackedExposure(flag: "f", variant: "a", unit: "ann", reason: .split)
    let before = (0..<20).map { simulation.events(ofUser: $0, exposure) }
    simulation.days = 28
    simulation.users = 2_000
    #expect((0..<20).map { simulation.events(ofUser: $0, exposure) } == before)
    simulation.seed = 2
    #expect((0..<20).allSatisfy { simulation.events(ofUser: $0, exposure) != before[$0] })
  }

  @Test("Events can be read, and users do what they are said to do")
  func simulates() throws {
    var simulation = Simulation()
    simulation.behaviors = [try Simulation.Behavior("purchase=20%:10"), try Simulation.Behavior("visit=0.5")]
    simulation.effects = [try Simulation.Effect("b:purchase=+100%"), try Simulation.Effect("b=-50%")]
    var join = ExperimentJoin(JoinPlan(), memory: .large)
    var reader = EventReader(.file)
    for number in 0..<4_000 {
      let exposure = TrackedExposure(
        flag: "f", variant: number.isMultiple(of: 2) ? "a" : "b", unit: simulation.unit(number), version: "7")
      for event in simulation.events(ofUser: number, exposure) {
        try join.add(#require(try reader.read(try event.line())))
      }
    }
    let data = try join.finish(reader)
    #expect(
      data.notes.unknownMembers == 0 && data.notes.versions == ["7"] && data.excluded == ExperimentData().excluded)
    // 400, 1,000, 400 and 500 are expected of 2,000, within four standard deviations.
    let counts = data.variants.flatMap { variant in ["purchase", "visit"].map { variant.conversions[$0]?.users ?? 0 } }
    #expect(zip(counts, [400, 1000, 400, 500]).allSatisfy { ($0 - $1).magnitude < 90 }, "\(counts)")
    let values = try #require(data.variants[0].conversions["purchase"]?.values)
    #expect((values.sum / 400 - 10).magnitude < 2)
  }

  @Test(
    "Words that say no behavior and no effect are errors",
    arguments: ["", "a", "a=", "=1", "a=2", "a=10%:x", "a=10%:1:2", "a=nan"])
  func refuses(text: String) {
    #expect(throws: AnalysisError.self) { try Simulation.Behavior(text) }
    if text != "a=2" { #expect(throws: AnalysisError.self) { try Simulation.Effect(text) } }
  }
}
