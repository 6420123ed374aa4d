import FlagCLI
import FlagDefinitions
import Foundation
import TestSupport
import Testing

@Suite("flagctl over a member of etcd", .needs(.etcd), .needs(.bash), .needs(.curl), .timeLimit(.minutes(15)))
struct EtcdCommandTests {
  @Test("What is published is listed, pulled, staged, served, reported and taken back")
  func works() async throws {
    let member = try await Member()
    let first = try await member.run("publish", "f.json", "--yes", "--reason=to begin", files: ["f.json": flag("off")])
    #expect(first.output.hasSuffix("\nproduction: revision 1 is published\n") && first.exitCode == 0, "\(first)")
    let server = try await RunningServer([:], ["--etcd=\(member.url)", "--set=production", "--server=a"])
    try await waitUntil(server, for: #""defaultVariant": "off""#)
    // The hash of the name a for revision 2 is below 30 %.
    let second = try await member.run("publish", "f.json", "--yes", "--percent=30", files: ["f.json": flag("on")])
    #expect(second.output.hasSuffix("\nproduction: revision 2 is a candidate on 30 % of the servers\n"), "\(second)")
    try await waitUntil(server, for: #""defaultVariant": "on""#)
    var fleet = try await member.run("fleet")
    while !fleet.output.contains("1 server: 1 with the candidate.") { fleet = try await member.run("fleet") }
    #expect(fleet.exitCode == 0)
    #expect(try await member.run("stage", "--percent=0").exitCode == 0)
    try await waitUntil(server, for: #""defaultVariant": "off""#)
    let back = try await member.run("restore", "2", "--yes")
    #expect(back.output.hasSuffix("\nproduction: revision 3 is published\n"), "\(back)")
    #expect(try await member.run("pull").output == flag("on"))
    let history = try await member.run("history")
    #expect(history.output.split(separator: "\n").map { $0.prefix(1) } == ["R", "3", "2", "1"])
    #expect(history.output.contains("back to revision 2"))
    let other = try await member.run("promote", "--from=production", "--to=eu", "--yes")
    #expect(other.output.hasSuffix("\neu: revision 1 is published\n"), "\(other)")
    #expect(await server.end() == 0)
    #expect(try await member.run("fleet").output.hasSuffix("\nNo server reports.\n"), "its report is taken back")
  }

  @Test("A signed-in client reads; one without credentials, with wrong ones or at no endpoint gets an error in words")
  func signsIn() async throws {
    let member = try await Member()
    try await onThread {
      for (path, body) in [
        ("auth/user/add", #"{"name": "root", "password": "right"}"#), ("auth/role/add", #"{"name": "root"}"#),
        ("auth/user/grant", #"{"user": "root", "role": "root"}"#), ("auth/enable", "{}"),
      ] {
        try member.cluster.ask(0, path, body)
      }
    }
    let run = try await member.run("history", "--etcd-user=root", "--etcd-password-file=p", files: ["p": "right\n"])
    #expect(run == Transcript(output: "Nothing has been published yet.\n"))
    let unknown = try await member.run("history")
    #expect(unknown.exitCode == 69 && unknown.errors.hasPrefix("flagctl: etcd /flags/production: "), "\(unknown)")
    let wrong = try await member.run("history", "--etcd-user=root", "--etcd-password-file=p", files: ["p": "secret"])
    #expect(wrong.exitCode == 69 && !wrong.errors.contains("secret"), "\(wrong)")
    let user = try EtcdCommandTests.refusal(at: "http://127.0.0.1:1,127.0.0.1")
    #expect(user == "expected an endpoint such as https://etcd-0:2379, found \"127.0.0.1\"")
  }

  /// Returns why endpoints are refused.
  private static func refusal(at endpoints: String) throws -> String {
    let run = Transcript(["history", "--etcd=\(endpoints)", "--set=s"])
    #expect(run.exitCode == 64 && run.output.isEmpty)
    return String(run.errors.dropFirst("flagctl: --etcd: ".count).dropLast())
  }

  /// Waits until a server serves a text.
  private func waitUntil(_ server: RunningServer, for text: String) async throws {
    while !(try await server.shell("curl -s $URL/flags.json").contains(text)) { try Task.checkCancellation() }
  }
}

/// A cluster of one member, and the tool that publishes there.
private struct Member {
  let cluster: EtcdCluster
  var url: String { cluster.endpoints[0] }

  init() async throws { cluster = try await onThread { try EtcdCluster(EtcdCluster.Program.all.first, members: 1) } }

  func run(_ words: String..., files: [String: String] = [:]) async throws -> Transcript {
    let isSetNamed = words.contains { $0.hasPrefix("--from") }
    // A member that many tests share the machine with answers late.
    let options = ["--etcd=\(url)", "--etcd-attempt-timeout=30", "--etcd-timeout=60"]
    let all = [words[0]] + options + (isSetNamed ? [] : ["--set=production"]) + words.dropFirst()
    return try await onThread { Transcript(all, files: files) }
  }
}
