import FlagCLI
import FlagDefinitions
import FlagPublishing
import TestSupport
import Testing

@Suite("flagctl takes care of fleets")
struct FleetCareTests {
  @Test("Absent servers are listed until they are taken out, and servers of one name are told apart from others")
  func listsAbsent() async throws {
    let fleet = MemoryFleet()
    try await fleet.publish(flag("off"))
    func report(_ name: String, absent: Bool = false, shared: Bool = false) {
      fleet.store().report(
        ServerReport(
          name: name, revision: 1, timestamp: 1_800_000_000, isAbsent: absent, isNameShared: shared))
    }
    report("web-1")
    report("web-2", absent: true)
    report("web-3", absent: true)
    report("web-4", shared: true)
    let run = try await fleet.run("fleet")
    #expect(
      run
        == Transcript(
          output: """
            production: revision 1, published 2027-01-15T08:00:00Z by ana
            SERVER  REVISION  SINCE                 STATE
            web-1   1         2027-01-15T08:00:00Z  current
            web-2   1         2027-01-15T08:00:00Z  absent: no sign of life
            web-3   1         2027-01-15T08:00:00Z  absent: no sign of life
            web-4   1         2027-01-15T08:00:00Z  another server reports under this name
            4 servers: 1 current, 1 with a name that another server has, 2 absent.

            """, exitCode: 3))
    let forgotten = try await fleet.run("fleet", "--forget=web-2")
    #expect(forgotten.output.hasSuffix("\n3 servers: 1 current, 1 with a name that another server has, 1 absent.\n"))
    #expect(
      try await fleet.run("fleet", "--forget=web-1")
        == Transcript(
          errors: "flagctl: production: web-1 is no absent server: it reports, or is not listed\n", exitCode: 1))
    report("web-4")
    #expect(try await fleet.run("fleet", "--forget-absent").output.hasSuffix("\n2 servers: 2 current.\n"))
  }

  @Test("A share that chooses no server says so, with the smallest one that does")
  func saysUnchosen() async throws {
    let fleet = MemoryFleet()
    try await fleet.publish(flag("off"))
    let none = try await fleet.run("publish", "f", "--yes", "--percent=9", files: ["f": flag("on")])
    #expect(none.errors == "flagctl: production: 9 % chooses no server: none reports\n")
    // The hashes of these names for revision 3, by another implementation: 1 is the smallest share that has one.
    let servers = ["web-1", "a"].map { fleet.store().store(server: $0) }
    _ = try await fleet.run("stage", "--percent=0")
    let next = try await fleet.run("publish", "f", "--yes", "--percent=1", files: ["f": flag("off", weight: 1)])
    let staged = try #require(try await fleet.store().head()?.candidate)
    let smallest = try #require(
      (1...99).first { percent in
        ["web-1", "a"].contains { StagedRevision(revision: staged.revision, percent: percent).includes(server: $0) }
      })
    #expect(
      next.errors
        == "flagctl: production: 1 % does not choose any of the 2 servers that report: "
        + "the smallest share that does is \(smallest) %\n")
    let wider = try await fleet.run("stage", "--percent=\(smallest - 1)", "--yes")
    #expect(wider.errors.contains("\(smallest - 1) % does not choose any of the 2 servers"))
    #expect(try await fleet.run("stage", "--percent=\(smallest)", "--yes").errors.isEmpty)
    withExtendedLifetime(servers) {}
  }

  @Test("Earlier revisions are listed, removed after a confirmation, and not where that is only tried")
  func prunes() async throws {
    let fleet = MemoryFleet()
    for variant in ["off", "on", "off", "on"] { try await fleet.publish(flag(variant)) }
    let listed = "production: 2 revisions from 1 to 2 are to be removed\n"
    #expect(try await fleet.run("prune", "--keep=2", "--dry-run") == Transcript(output: listed))
    #expect(
      try await fleet.run("prune", "--keep=2", answer: "n\n")
        == Transcript(
          output: listed,
          errors: "Remove that from production? [y/N] flagctl: production: nothing was changed\n", exitCode: 1))
    #expect(
      try await fleet.run("prune", "--keep=2", "--yes", "--free-space")
        == Transcript(
          output: listed + """
            production: 2 earlier revisions removed
            production: etcd is 0 bytes smaller, and takes writes again

            """))
    #expect(try await fleet.store().history(limit: 9).map(\.number) == [4, 3])
    #expect(
      try await fleet.run("prune", "--keep=2") == Transcript(output: "production: 0 earlier revisions removed\n"))
  }
}
