import FlagCLI
import FlagDefinitions
import FlagPublishing
import TestSupport
import Testing

@Suite("What flagctl publish asks for, and writes")
struct PublishOutcomeTests {
  /// A document of two flags, one of which others have published.
  private static let two = flag("off").replacing(
    #"{"flags": {"#, with: #"{"flags": {"g": {"state": "ENABLED", "variants": {"on": 1}}, "#)

  @Test("Flags that are removed are named, and asked for even with --yes, unless --expect says that they were seen")
  func asksForRemoval() async throws {
    let fleet = MemoryFleet()
    try await fleet.publish(Self.two)
    let removal = "flagctl: production: 1 flag of revision 1 is removed: g\n"
    let run = try await fleet.run("publish", "f", "--yes", files: ["f": flag("on")])
    #expect(run.exitCode == 64)
    #expect(
      run.errors == removal
        + "flagctl: production: standard input is not a terminal, so nobody can confirm: --expect 1 is missing\n")
    let refused = try await fleet.run("publish", "f", "--yes", files: ["f": flag("on")], answer: "n\n")
    #expect(refused.exitCode == 1 && refused.errors.hasPrefix(removal + "Publish to all servers"))
    #expect(try await fleet.store().head()?.revision.number == 1)
    let seen = try await fleet.run("publish", "f", "--yes", "--expect=1", files: ["f": flag("on")])
    #expect(seen.exitCode == 0 && seen.errors.isEmpty)
    try await fleet.publish(Self.two)
    #expect(
      try await fleet.run("restore", "2", "--yes").exitCode == 0, "an earlier revision is known to have less")
  }

  @Test("Where publishing is only tried, the effect is shown, and nobody is asked")
  func triesOnly() async throws {
    let fleet = MemoryFleet()
    try await fleet.publish(flag("off"))
    let run = try await fleet.run("publish", "f", "--dry-run", files: ["f": flag("on")])
    #expect(
      run
        == Transcript(
          output: """
            f: default variant changed: off → on for everyone
            1 flag changes, 1 of them affecting users.
            production: nothing was published, because of --dry-run

            """))
    #expect(try await fleet.store().head()?.revision.number == 1)
  }

  @Test("The outcome is JSON of version 1, alone on standard output", arguments: ["--dry-run", "--yes", "again"])
  func writesJSON(option: String) async throws {
    let fleet = MemoryFleet()
    for text in [flag("on"), Self.two] { try await fleet.publish(text) }
    let text = option == "again" ? Self.two : flag("on", weight: 1)
    let words = option == "again" ? ["--yes"] : [option, "--expect=2", "--keep=1"]
    let run = try await fleet.run(["publish", "f", "--json"] + words, files: ["f": text])
    #expect(run.exitCode == 0 && run.errors.isEmpty)
    #expect(run.output.hasPrefix("{") && run.output.split(separator: "\n").count == 1, "\(run.output)")
    #expect(run.output.contains(#""isPublished":\#(option == "--yes"),"#))
    #expect(run.output.contains(#""removedRevisions":\#(option == "--yes" ? "[1,2]" : "[]"),"#))
    #expect(run.output.contains(#""hasChanges":true"#) == (option != "again"))
    #expect(run.output.hasSuffix(#""set":"production","version":1}"# + "\n"))
  }
}
