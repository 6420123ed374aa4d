import FlagCLI
import FlagDefinitions
import FlagPublishing
import FlagRemote
import Foundation
import TestSupport
import Testing

@testable import FlagFleet

@Suite("flagctl for fleets")
struct FleetTests {
  // MARK: - Staging

  @Test("A candidate is widened step by step until all servers run it")
  func widens() async throws {
    let fleet = MemoryFleet()
    try await fleet.publish(flag("off"))
    try await fleet.publish(flag("on"), percent: 5)
    let wide = try await fleet.run("stage", "--percent=50", "--expect=2", answer: "y\n")
    #expect(
      wide
        == Transcript(
          output: """
            f: default variant changed: off → on for everyone
            1 flag changes, 1 of them affecting users.
            production: revision 2 is a candidate on 50 % of the servers

            """,
          errors: """
            flagctl: production: 50 % chooses no server: none reports
            Give revision 2 to 50 % of the servers of production? [y/N]\u{20}
            """))
    let narrow = try await fleet.run("stage", "--percent=10")
    #expect(narrow == Transcript(output: "production: revision 2 is a candidate on 10 % of the servers\n"))
    let unasked = try await fleet.run("stage", "--percent=100")
    #expect(unasked.exitCode == 64 && unasked.errors.hasSuffix("--yes is missing\n"))
    let all = try await fleet.run("stage", "--percent=100", "--yes")
    #expect(all.output.hasSuffix("\nproduction: revision 2 is published\n"))
    #expect(try await fleet.store().head()?.revision.number == 2)
  }

  @Test("A candidate is withdrawn without a question")
  func withdraws() async throws {
    let fleet = MemoryFleet()
    try await fleet.publish(flag("off"))
    try await fleet.publish(flag("on"), percent: 5)
    let run = try await fleet.run("stage", "--percent=0")
    #expect(run == Transcript(output: "production: candidate 2 is withdrawn; all servers run revision 1\n"))
    #expect(
      try await fleet.run("stage", "--percent=50")
        == Transcript(errors: "flagctl: production: revision 1 has no candidate\n", exitCode: 1))
  }

  @Test("A candidate that is another one by now is a conflict")
  func stagingConflicts() async throws {
    let fleet = MemoryFleet()
    try await fleet.publish(flag("off"))
    try await fleet.publish(flag("on"), percent: 5)
    #expect(
      try await fleet.run("stage", "--percent=9", "--expect=3")
        == Transcript(
          errors:
            "flagctl: production: nothing was changed: expected candidate 3, found revision 1 with candidate 2 on 5 %\n",
          exitCode: 75))
    let run = try await fleet.run("stage", "--percent=9", answer: "y\n") {
      try await fleet.publish(flag("off", weight: 1), percent: 7, because: "better")
    }
    #expect(run.exitCode == 75)
    #expect(
      run.errors.hasSuffix(
        """
        flagctl: production: nothing was changed: expected revision 1 with candidate 2 on 5 %, found revision 1 with \
        candidate 3 on 7 %
        flagctl: production: revision 3, published 2027-01-15T08:00:00Z by ana: better

        """))
  }

  // MARK: - Going back, and on

  @Test("Going back publishes the old document as a new revision, and says so")
  func rollsBack() async throws {
    let fleet = MemoryFleet()
    for variant in ["off", "on"] { try await fleet.publish(flag(variant)) }
    let run = try await fleet.run("restore", "1", "--yes", "--reason=it fails")
    #expect(
      run.output.hasSuffix(
        "f: default variant changed: on → off for everyone\n1 flag changes, 1 of them affecting users.\nproduction: revision 3 is published\n"
      ))
    let head = try #require(try await fleet.store().head())
    #expect(head.revision.note == PublicationNote(author: "kim", reason: "back to revision 1: it fails"))
    #expect(try await fleet.store().text(of: 3) == Array(flag("off").utf8))
    #expect(
      try await fleet.run("restore", "9", "--yes")
        == Transcript(errors: "flagctl: production: there is no revision 9, or it was removed\n", exitCode: 1))
  }

  @Test("One set's document is published to another, without the candidate of the first")
  func promotes() async throws {
    let fleet = MemoryFleet()
    try await fleet.store("staging").replace(with: Array(flag("on").utf8), expecting: nil)
    let staging = try #require(try await fleet.store("staging").head())
    try await fleet.store("staging").publish(
      Array(flag("off").utf8), expecting: staging, percent: 9, note: PublicationNote(author: "ana"))
    let run = try await fleet.run("promote", "--from=staging", "--to=production", "--yes")
    #expect(run.output.hasSuffix("\nproduction: revision 1 is published\n"))
    #expect(try await fleet.store().text(of: 1) == Array(flag("on").utf8))
    #expect(
      try await fleet.store().head()?.revision.note
        == PublicationNote(author: "kim", reason: "from staging, revision 1"))
    #expect(
      try await fleet.run("promote", "--from=nothing", "--to=production", "--yes")
        == Transcript(errors: "flagctl: nothing: nothing has been published yet\n", exitCode: 1))
  }

  // MARK: - Looking

  @Test("The history says when, by whom and why, and what servers run")
  func listsHistory() async throws {
    let fleet = MemoryFleet()
    #expect(try await fleet.run("history") == Transcript(output: "Nothing has been published yet.\n"))
    try await fleet.publish(flag("off"), because: "to begin\u{1B}[2J")
    try await fleet.publish(flag("on"), by: "eva")
    try await fleet.publish(flag("on", weight: 1), percent: 25, because: "half")
    #expect(
      try await fleet.run("history")
        == Transcript(
          output: #"""
            REVISION  PUBLISHED             BY   SERVERS          REASON
            3         2027-01-15T08:00:00Z  ana  candidate, 25 %  half
            2         2027-01-15T08:00:00Z  eva  current
            1         2027-01-15T08:00:00Z  ana                   to begin\u{1B}[2J

            """#))
    let json = try await fleet.run("history", "--json", "--limit=1")
    #expect(
      json.output.hasPrefix(
        #"{"broken":[],"head":{"candidate":3,"percent":25,"revision":2},"revisions":[{"author":"ana","fingerprint":""#))
    #expect(
      json.output.hasSuffix(
        #""reason":"half","revision":3,"timestamp":1800000000}],"set":"production","version":1}"# + "\n"))
  }

  @Test("A document is written as it was published, to standard output or a file")
  func pulls() async throws {
    let fleet = MemoryFleet()
    #expect(
      try await fleet.run("pull")
        == Transcript(errors: "flagctl: production: nothing has been published yet\n", exitCode: 1)
    )
    for variant in ["off", "on"] { try await fleet.publish(flag(variant) + "\n") }
    #expect(try await fleet.run("pull") == Transcript(output: flag("on") + "\n"))
    #expect(
      try await fleet.run("pull", "--revision=1", "--output=f.json")
        == Transcript(output: "production: revision 1 is in f.json\n"))
    #expect(fleet.saved == ["f.json": flag("off") + "\n"])
  }

  @Test("Servers are listed with what they run, should run, and why they do not")
  func listsServers() async throws {
    let fleet = MemoryFleet()
    try await fleet.publish(flag("off"), because: "to begin with")
    #expect(
      try await fleet.run("fleet")
        == Transcript(
          output: """
            production: revision 1, published 2027-01-15T08:00:00Z by ana: to begin with
            No server reports.

            """))
    // Of the names web-1, web-2 and a, the hash for revision 2 puts only the last below 30 %.
    let servers = ["web-1", "a"].map { fleet.store().store(server: $0) }
    try await fleet.publish(flag("on"), percent: 30)
    let healthy = try await fleet.run("fleet")
    #expect(
      healthy
        == Transcript(
          output: """
            production: revision 1, published 2027-01-15T08:00:00Z by ana: to begin with
            production: candidate on 30 % of the servers: revision 2, published 2027-01-15T08:00:00Z by ana
            SERVER  REVISION  SINCE                 STATE
            a       2         2027-01-15T08:00:00Z  candidate
            web-1   1         2027-01-15T08:00:00Z  current
            2 servers: 1 current, 1 with the candidate.

            """))
    fleet.store().report(ServerReport(name: "web-2", revision: 7, timestamp: 1_800_000_001))
    fleet.store().report(
      ServerReport(name: "web-3", revision: 1, failure: "flag f: no memory", timestamp: 1_800_000_002))
    let ill = try await fleet.run("fleet")
    #expect(ill.exitCode == 3)
    #expect(
      ill.output.hasSuffix(
        """
        web-2   7         2027-01-15T08:00:01Z  lags: should run revision 1
        web-3   1         2027-01-15T08:00:02Z  fails: flag f: no memory
        4 servers: 1 current, 1 with the candidate, 1 behind, 1 failing.

        """))
    let json = try await fleet.run("fleet", "--json")
    #expect(json.exitCode == 3)
    #expect(
      json.output.hasPrefix(
        #"{"head":{"candidate":2,"percent":30,"revision":1},"isHealthy":false,"problem":null,"servers":[{"expected":2,"failure":null,"#
          + #""name":"a","revision":2,"state":"candidate","timestamp":1800000000},"#))
    withExtendedLifetime(servers) {}
  }

  // MARK: - Addresses

  @Test("A cluster is addressed with all that the words and the environment say")
  func addresses() async throws {
    let fleet = MemoryFleet()
    _ = try await fleet.run(
      "history", "--etcd=http://a:1, http://b:2", "--etcd-prefix=/x", "--etcd-user=root", "--etcd-password-file=p",
      "--etcd-plaintext=a", "--etcd-plaintext=b", "--etcd-timeout=2.5", "--etcd-attempt-timeout=0.25",
      files: ["p": "secret word\n"])
    _ = try await fleet.run(
      "history", environment: ["FLAGCTL_ETCD_USER": "eva", "FLAGCTL_ETCD_PASSWORD": "hers"])
    let settings = fleet.addresses.map(\.settings)
    #expect(fleet.addresses.map(\.set) == ["production", "production"])
    #expect(settings.map(\.endpoints) == [["http://a:1", "http://b:2"], ["https://etcd:2379"]])
    #expect(settings.map(\.prefix) == ["/x", "/flags"])
    #expect(settings.map(\.plaintextHosts) == [["a", "b"], []])
    #expect(settings.map(\.timeout) == [.seconds(2.5), .seconds(10)])
    #expect(settings.map(\.attemptTimeout) == [.milliseconds(250), .seconds(1)])
    #expect(settings.map { $0.credentials?.user } == ["root", "eva"])
    #expect(settings.map { $0.credentials?.password } == ["secret word", "hers"])
  }

  @Test(
    "Certificates that cannot be used are an error that names the options",
    arguments: [
      (["--etcd-authorities=no.pem"], "no.pem: "),
      (["--etcd-key=key.pem"], "expected a certificate and its key, or neither, found one of them"),
    ])
  func refusesCertificates(words: [String], problem: String) {
    let run = Transcript(["history", "--etcd=https://e", "--set=s"] + words)
    #expect(run.exitCode == 64)
    let options = "--etcd-authorities, --etcd-certificate, --etcd-key"
    #expect(run.errors.hasPrefix("flagctl: \(options): \(problem)"))
  }

  @Test(
    "Half of the credentials are an error that says what is missing",
    arguments: [
      (["--etcd-password-file=p"], "--etcd-user is missing beside --etcd-password-file p", Int32(64)),
      (["--etcd-user=u"], "--etcd-password-file or FLAGCTL_ETCD_PASSWORD is missing for the user u", 64),
      (["--etcd-user=u", "--etcd-password-file=e"], "e: expected a password on a line, found none", 1),
    ])
  func refusesHalf(words: [String], message: String, exitCode: Int32) async throws {
    let all = ["history", "--etcd=e", "--set=s"] + words
    #expect(
      Transcript(all, files: ["p": "secret", "e": "\n"])
        == Transcript(errors: "flagctl: \(message)\n", exitCode: exitCode))
  }

  @Test("A store that gives no answer is a service that is not there")
  func isUnavailable() {
    let run = Transcript(["history", "--etcd=https://e", "--set=s"]) { terminal in
      terminal.connect = { address in throw DefinitionStoreError(.unreadable, store: address.set, "no answer") }
    }
    #expect(run == Transcript(errors: "flagctl: s: no answer\n", exitCode: 69))
  }
}
