import FlagCLI
import FlagDefinitions
import FlagPublishing
import TestSupport
import Testing

@Suite("flagctl publish")
struct PublishTests {
  @Test("The first revision of a set shows its flags, and goes to all")
  func publishesFirst() async throws {
    let fleet = MemoryFleet()
    let run = try await fleet.run(
      "publish", "f.json", "--yes", "--percent=5", "--reason=to begin with", files: ["f.json": flag("on")])
    #expect(
      run
        == Transcript(
          output: """
            f: new flag: no flag → on for everyone
            1 flag changes, 1 of them affecting users.
            production: revision 1 is published

            """))
    let head = try #require(try await fleet.store().head())
    #expect(head.revision.note == PublicationNote(author: "kim", reason: "to begin with"))
    #expect(head.candidate == nil)
    #expect(try await fleet.store().text(of: 1) == Array(flag("on").utf8))
  }

  @Test(
    "Publishing asks for confirmation, and publishes what was confirmed",
    arguments: [
      ("y\n", true), ("YES\n", true), (" y", true), ("n\n", false), ("\n", false), ("", false), ("yo\n", false),
    ])
  func asks(answer: String, isAgreed: Bool) async throws {
    let fleet = MemoryFleet()
    try await fleet.publish(flag("off"))
    let run = try await fleet.run("publish", "f.json", files: ["f.json": flag("on")], answer: answer)
    let shown = """
      f: default variant changed: off → on for everyone
      1 flag changes, 1 of them affecting users.

      """
    let question = "Publish to all servers of production? [y/N] "
    #expect(
      run
        == (isAgreed
          ? Transcript(output: shown + "production: revision 2 is published\n", errors: question)
          : Transcript(
            output: shown, errors: question + "flagctl: production: nothing was changed\n", exitCode: 1)))
    #expect(try await fleet.store().head()?.revision.number == (isAgreed ? 2 : 1))
  }

  @Test("Where nobody can be asked, that is an error, and nothing is published")
  func needsAgreement() async throws {
    let fleet = MemoryFleet()
    let run = try await fleet.run("publish", "f.json", files: ["f.json": flag("on")])
    #expect(run.exitCode == 64)
    #expect(
      run.errors
        == "flagctl: production: standard input is not a terminal, so nobody can confirm: --yes is missing\n")
    #expect(try await fleet.store().head() == nil)
  }

  @Test("A document with errors is refused with all of them, before anybody is asked")
  func refusesErrors() async throws {
    let fleet = MemoryFleet()
    let bad = #"""
      {"flags": {
        "a": {"state": "ON", "variants": {"on": 1}, "defaultVariant": "on"},
        "b": {"state": "ENABLED", "variants": {"on": 1}, "defaultVariant": "off"}}}
      """#
    let run = try await fleet.run("publish", "f.json", files: ["f.json": bad], answer: "y\n")
    #expect(run.exitCode == 1 && run.output.isEmpty)
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("f.json:2:") == true && lines.last?.hasPrefix("f.json:3:") == true, "\(run.errors)")
    let broken = try await fleet.run("publish", "f.json", "--yes", files: ["f.json": "{"])
    #expect(broken.exitCode == 1 && broken.errors.hasPrefix("f.json:1:2: error: "))
    #expect(try await fleet.store().head() == nil)
  }

  @Test("What is published already is not published again")
  func isIdempotent() async throws {
    let fleet = MemoryFleet()
    try await fleet.publish(flag("on"))
    let run = try await fleet.run("publish", "f.json", "--yes", files: ["f.json": flag("on")])
    #expect(run == Transcript(output: "production: revision 1 already has that document\n"))
  }

  @Test("Someone else who was faster is a conflict that shows what they changed, and nothing is lost")
  func conflicts() async throws {
    let fleet = MemoryFleet()
    try await fleet.publish(flag("off"))
    let run = try await fleet.run("publish", "f.json", files: ["f.json": flag("on", weight: 3)], answer: "y\n") {
      try await fleet.publish(flag("on"), because: "a fix")
      try await fleet.publish(flag("on", weight: 1), percent: 10, by: "eva")
    }
    #expect(run.exitCode == 75)
    #expect(
      run.output.hasSuffix(
        """
        From revision 1 to revision 3:
        f: default variant changed, rule changed: off → on for 50 % of users
          rule before: none
          rule now: 50 % get on, 50 % get off
        1 flag changes, 1 of them affecting users.

        """), "\(run.output)")
    #expect(
      run.errors
        == """
        Publish to all servers of production? [y/N] flagctl: production: nothing was published: expected revision 1, \
        found revision 2 with candidate 3 on 10 %
        flagctl: production: revision 3, published 2027-01-15T08:00:00Z by eva
        flagctl: production: revision 2, published 2027-01-15T08:00:00Z by ana: a fix

        """)
    #expect(try await fleet.store().history(limit: 9).map(\.number) == [3, 2, 1])
  }

  @Test("A revision that is expected and is not there is the same conflict")
  func expects() async throws {
    let fleet = MemoryFleet()
    for variant in ["off", "on"] { try await fleet.publish(flag(variant)) }
    let run = try await fleet.run("publish", "f.json", "--yes", "--expect=1", files: ["f.json": flag("on", weight: 1)])
    #expect(
      run
        == Transcript(
          output: """
            From revision 1 to revision 2:
            f: default variant changed: off → on for everyone
            1 flag changes, 1 of them affecting users.

            """,
          errors: """
            flagctl: production: nothing was published: expected revision 1, found revision 2
            flagctl: production: revision 2, published 2027-01-15T08:00:00Z by ana

            """, exitCode: 75))
    let expected = try await fleet.run(
      "publish", "f.json", "--yes", "--expect=2", files: ["f.json": flag("on", weight: 1)])
    #expect(expected.exitCode == 0)
    let none = try await MemoryFleet().run("publish", "f.json", "--yes", "--expect=2", files: ["f.json": flag("on")])
    #expect(
      none
        == Transcript(
          errors: "flagctl: production: expected revision 2, found that nothing has been published yet\n", exitCode: 75)
    )
  }

  @Test("A share of the servers gets a candidate, which the next one ends")
  func stages() async throws {
    let fleet = MemoryFleet()
    try await fleet.publish(flag("off"))
    let run = try await fleet.run(
      "publish", "f.json", "--percent=5", files: ["f.json": flag("on")], answer: "y\n")
    #expect(
      run.errors == "Publish to 5 % of the servers of production? [y/N] "
        + "flagctl: production: 5 % chooses no server: none reports\n")
    #expect(run.output.hasSuffix("\nproduction: revision 2 is a candidate on 5 % of the servers\n"))
    let next = try await fleet.run("publish", "f.json", "--yes", files: ["f.json": flag("off", weight: 1)])
    #expect(
      next.errors
        == "flagctl: production: the candidate on 5 % of the servers ends: revision 2, published 2027-01-15T08:00:00Z by kim\n"
    )
    #expect(next.output.hasSuffix("\nproduction: revision 3 is published\n"))
  }

  @Test("Earlier revisions are removed where that is asked for")
  func prunes() async throws {
    let fleet = MemoryFleet()
    for variant in ["off", "on", "off"] { try await fleet.publish(flag(variant)) }
    let run = try await fleet.run("publish", "f.json", "--yes", "--keep=2", files: ["f.json": flag("on")])
    #expect(run.output.hasSuffix("production: revision 4 is published\nproduction: 2 earlier revisions removed\n"))
    #expect(try await fleet.store().history(limit: 9).map(\.number) == [4, 3])
  }

  @Test("Who publishes is said, or is who is signed in")
  func namesAuthor() async throws {
    let fleet = MemoryFleet()
    _ = try await fleet.run("publish", "f", "--yes", "--author=ci", files: ["f": flag("on")])
    _ = try await fleet.run("publish", "f", "--yes", files: ["f": flag("off")], environment: [:])
    #expect(try await fleet.store().history(limit: 9).map(\.note.author) == ["unknown", "ci"])
  }
}

/// A document with a flag of two variants.
func flag(_ defaultVariant: String, weight: Int? = nil) -> String {
  let rule = weight.map { #", "targeting": {"fractional": [["on", \#($0)], ["off", 1]]}"# } ?? ""
  return #"""
    {"flags": {"f": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "\#(defaultVariant)"\#(rule)}}}
    """#
}
