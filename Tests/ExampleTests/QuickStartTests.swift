import Testing

@Suite("Quick start", .timeLimit(.minutes(15)))
struct QuickStartTests {
  private let example = Example(name: "QuickStart")

  @Test("It shows every flag for three users of one client, which asks three sources, and an override")
  func showsChain() async throws {
    let run = try await example.run()
    #expect(run.status == 0 && run.errors == "")
    #expect(try run.output == Transcript(name: "QuickStart").text(recording: run.output))
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 42 && lines.allSatisfy { $0.count <= 100 })
  }

  @Test("By an option it shows two screens and every flag for three users and six sources, each outage once")
  func showsAll() async throws {
    let run = try await example.run("--all")
    #expect(run.status == 0 && run.errors == "")
    #expect(try run.output == Transcript(name: "QuickStart-all").text(recording: run.output))
    let errors = run.output.split(separator: "\n").filter { $0.hasPrefix("! ") }
    #expect(!errors.isEmpty && Set(errors).count == errors.count)
  }

  @Test(
    "A file that has none of its flags is said to have none", arguments: ["{}", #"{"other": {"state": "ENABLED"}}"#])
  func notesStrangers(flags: String) async throws {
    let folder = try TemporaryFolder()
    let run = try await example.run(folder.file("mine.json", #"{"flags": \#(flags)}"#))
    let found = flags == "{}" ? "none" : "other"
    #expect(run.status == 0)
    #expect(run.output.contains("No flag of mine.json is one of this program's: it has \(found).\n"))
  }

  @Test("It shows one user, when asked to")
  func showsOneUser() async throws {
    let run = try await example.run("--user", "eva", "--country", "pt", "--segment", "beta", "--segment", "staff")
    #expect(run.status == 0 && run.errors == "")
    #expect(try run.output == Transcript(name: "QuickStart-eva").text(recording: run.output))
  }

  @Test("It reads another definitions file; a malformed flag does not keep the others from being served")
  func readsAnotherFile() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file(
      "mine.json",
      """
      {"flags": {"new-user-profile": {"state": "ON", "variants": {"on": true}},
        "feed.page-size": {"state": "ENABLED", "variants": {"one": 1}, "defaultVariant": "one"}}}
      """)
    let run = try await example.run(file, "--user", "eva")
    #expect(run.status == 0)
    #expect(run.output.contains("in turn: mine.json") && !run.output.contains("No flag of"))
    #expect(run.output.contains(/feed\.page-size +1 +STATIC +in-house\n/))
    let all = try await example.run("--all", file)
    #expect(all.output.contains(/(?m)^! .*PARSE_ERROR.*new-user-profile/))
  }

  @Test(
    "A definitions file that cannot be served is an error that says where",
    arguments: [
      ("", "1:1"), ("{\"flags\": {\n  nope}}", "2:3"), ("[]", "$"), ("{\"flags\": []}", "$.flags"), ("{}", "flags"),
    ])
  func refusesFile(content: String, place: String) async throws {
    let folder = try TemporaryFolder()
    let run = try await example.run(folder.file("bad.json", content))
    #expect(run.status == 1 && run.output == "")
    #expect(run.errors.hasPrefix("QuickStart: ") && run.errors.contains(place), "\(run.errors)")
  }

  @Test("A missing file is an error that names it")
  func refusesMissingFile() async throws {
    let run = try await example.run("nowhere.json")
    #expect(run.status == 1)
    #expect(run.errors.contains("nowhere.json"))
  }

  @Test(
    "A command line that means nothing is a usage error",
    arguments: [
      ["--nope"], ["--user"], ["a.json", "b.json"], ["--country", "es"],
    ])
  func refusesUsage(arguments: [String]) async throws {
    let run =
      arguments.count == 1 ? try await example.run(arguments[0]) : try await example.run(arguments[0], arguments[1])
    #expect(run.status == 64 && run.output == "")
    #expect(run.errors.contains("usage: QuickStart [--all] [flags.json] [--user ID --country CC --segment S ...]"))
  }
}
