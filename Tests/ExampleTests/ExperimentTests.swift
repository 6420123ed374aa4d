import Testing

@Suite("Experiment", .timeLimit(.minutes(15)))
struct ExperimentTests {
  @Test("It runs two experiments on a thousand users, and shows what they did")
  func showsResults() async throws {
    let run = try await Example(name: "Experiment").run()
    #expect(run.status == 0 && run.errors == "")
    // Exposures have the time of the run, whose day is on one line: at midnight, two days.
    let output = run.output.replacing(/(on )?\d{4}-\d\d-\d\d( to \d{4}-\d\d-\d\d)?/, with: "on the day of the run")
    #expect(try output == Transcript(name: "Experiment").text(recording: output))
  }
}
