import Testing

@Suite("Experiment", .timeLimit(.minutes(15)))
struct ExperimentTests {
  @Test("It runs two experiments on a thousand users, and shows what they did")
  func showsResults() async throws {
    let run = try await Example(name: "Experiment").run()
    #expect(run.status == 0 && run.errors == "")
    #expect(try run.output == Transcript(name: "Experiment").text(recording: run.output))
  }
}
