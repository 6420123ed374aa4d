import FlagCLI
import FlagDefinitions
import Foundation
import TestSupport
import Testing

@Suite(
  "A fleet on a bad day, over three members of etcd", .serialized, .needs(.etcd), .needs(.bash), .needs(.curl),
  .timeLimit(.minutes(15)))
struct FleetOutageTests {
  // MARK: - Broken sets

  /// What breaks a set: the keys that are written, or removed for nil, and the key that is named.
  private struct Damage {
    let keys: [(key: String, value: String?)]
    var isBlocking = true
  }

  /// Returns what breaks sets whose newest document has a fingerprint.
  private static func damages(_ fingerprint: String) -> [String: Damage] {
    let entry = "revisions/0000000000000000000"
    return [
      "text": Damage(keys: [("documents/\(fingerprint)/0000", "garbage"), ("head/text", "garbage")]),
      "pieces": Damage(keys: [("documents/\(fingerprint)/0000", nil), ("head/text", nil)]),
      "head": Damage(keys: [("head", "garbage")]),
      "history": Damage(keys: [("\(entry)2", "garbage"), ("revisions/x", "{")], isBlocking: false),
      "next": Damage(keys: [("\(entry)3", "garbage")], isBlocking: false),
    ]
  }

  @Test("Sets that are broken in five ways are repaired by the commands that the guide names")
  func repairs() async throws {
    let fleet = try await Fleet()
    let files = ["1": flag("off"), "2": flag("on"), "3": flag("off", weight: 1)]
    for set in ["text", "pieces", "head", "history", "next"] {
      for file in ["1", "2"] { #expect(try await fleet.run(set, "publish", file, "--yes", files: files).exitCode == 0) }
      let listed = try await fleet.run(set, "history", "--json", "--limit=1").output
      let fingerprint = try #require(listed.firstMatch(of: /"fingerprint":"(\w+)"/)?.1)
      let damage = try #require(Self.damages(String(fingerprint))[set])
      for (key, value) in damage.keys { try await fleet.write("/flags/\(set)/\(key)", value) }
      let history = try await fleet.run(set, "history")
      #expect(history.exitCode == 1 && history.output.contains("\n1  "), "it lists what it can: \(history)")
      #expect(history.errors.contains("flagctl: \(set): /flags/\(set)/\(damage.keys[0].key) is broken: "), "\(history)")

      let first = try await fleet.run(set, "publish", "3", "--yes", files: files)
      #expect(first.exitCode == (damage.isBlocking ? 1 : 0), "\(set): \(first)")
      if damage.isBlocking {
        #expect(first.errors.hasPrefix("flagctl: \(set): /flags/\(set)/\(damage.keys[0].key) is broken: "), "\(first)")
        #expect(first.errors.hasSuffix("--over-broken publishes over that\n"))
        let second = try await fleet.run(set, "restore", "1", "--yes", "--over-broken")
        #expect(second.exitCode == 0 && second.output.hasSuffix("\(set): revision 3 is published\n"), "\(second)")
        #expect(try await fleet.run(set, "pull").output == files["1"])
        // What the broken revision held, once more: its pieces are written again.
        #expect(try await fleet.run(set, "publish", "2", "--yes", files: files).exitCode == 0)
        #expect(try await fleet.run(set, "pull").output == files["2"])
      }
      #expect(try await fleet.run(set, "prune", "--keep=5", "--yes").exitCode == 0)
      let last = try await fleet.run(set, "history")
      #expect(last.exitCode == 0 && last.errors.isEmpty, "\(set): \(last)")
    }
  }

  @Test("Over a broken head, --expect names the newest revision that can be read")
  func expectsReadable() async throws {
    let fleet = try await Fleet(members: 1)
    let files = ["1": flag("off"), "2": #"{"flags": {}}"#]
    _ = try await fleet.run("app", "publish", "1", "--yes", files: files)
    try await fleet.write("/flags/app/head", "garbage")
    let refused = try await fleet.run("app", "publish", "2", "--yes", "--over-broken", files: files)
    #expect(refused.exitCode == 64 && refused.errors.hasSuffix("--expect 1 is missing\n"), "\(refused)")
    let seen = try await fleet.run("app", "publish", "2", "--yes", "--over-broken", "--expect=1", files: files)
    #expect(seen.exitCode == 0 && seen.output.hasSuffix("\napp: revision 2 is published\n"), "\(seen)")
  }

  // MARK: - Servers that are cut off

  @Test("A server that is cut off is seen in fleet, readiness, answers and metrics, and so is its return")
  func isSeen() async throws {
    let fleet = try await Fleet()
    _ = try await fleet.run("app", "publish", "f", "--yes", files: ["f": flag("on")])
    let words = [
      "--etcd=\(fleet.cluster.endpoints[2])", "--set=app", "--server=web", "--etcd-lease=2", "--max-stale=2",
    ]
    let server = try await RunningServer([:], words)
    try await fleet.wait("app", for: "1 server: 1 current.")
    #expect(try await server.state() == "200 STATIC 1")
    try await fleet.cluster.onThread { $0.kill(2) }
    try await fleet.wait("app", for: "web     1  ", "absent: no sign of life")
    try await server.wait(for: "503 STALE 0")
    #expect(try await fleet.run("app", "fleet").exitCode == 3)
    #expect(server.errors.contains("etcd /flags/app: the last good revision 1 is served\n"))
    try await fleet.cluster.onThread { cluster in
      try cluster.start(2)
      try cluster.waitForLeader()
    }
    try await server.wait(for: "200 STATIC 1")
    try await fleet.wait("app", for: "1 server: 1 current.")
    let namesake = try await RunningServer([:], words)
    try await fleet.wait("app", for: "another server reports under this name")
    #expect(await namesake.end() == 0)
    try await fleet.wait("app", for: "1 server: 1 current.")
    #expect(await server.end() == 0)
    #expect(try await fleet.run("app", "fleet").output.hasSuffix("\nNo server reports.\n"))
  }

  @Test("A server ends within 3 s while all members hang, and starts from its kept copy while all are away")
  func startsFromCopy() async throws {
    let fleet = try await Fleet()
    _ = try await fleet.run("app", "publish", "f", "--yes", files: ["f": flag("on")])
    let folder = FileManager.default.temporaryDirectory.appending(path: "kept-\(UUID().uuidString)")
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
    let words = ["--set=app", "--server=web", "--cache=\(folder.path)"]
    let first = try await RunningServer([:], ["--etcd=\(fleet.cluster.endpoints[0])"] + words)
    try await fleet.wait("app", for: "1 server: 1 current.")
    try await fleet.cluster.onThread { cluster in for member in 0..<cluster.count { cluster.stop(member) } }
    let time = await ContinuousClock().measure { #expect(await first.end() == 0) }
    #expect(time < .seconds(3))
    try await fleet.cluster.onThread { cluster in for member in 0..<cluster.count { cluster.kill(member) } }
    let second = try await RunningServer([:], ["--etcd=\(fleet.cluster.endpoints[1])"] + words)
    try await second.wait(for: "200 STALE 0")
    #expect(second.errors.contains("etcd /flags/app: revision 1 of the kept copy is served\n"))
    #expect(await second.end() == 0)
  }

  // MARK: - Removed revisions

  @Test("A read beside a publisher that keeps one revision never fails for a number that is gone")
  func readsBesidePruning() async throws {
    let fleet = try await Fleet(members: 1)
    let rounds = Effort.rounds(8, thorough: 30, long: 300)
    let large = String(repeating: " ", count: 70_000)
    _ = try await fleet.run("app", "publish", "f", "--yes", files: ["f": flag("on") + large])
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for round in 1...rounds {
          let text = flag(round.isMultiple(of: 2) ? "on" : "off", weight: round) + large
          let run = try await fleet.run("app", "publish", "f", "--yes", "--keep=1", files: ["f": text])
          #expect(run.exitCode == 0, "\(run.errors)")
        }
      }
      group.addTask {
        for _ in 0..<rounds * 2 {
          let run = try await fleet.run("app", "pull")
          #expect(run.exitCode == 0 && run.output.hasSuffix(large), "\(run.errors)")
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("After the quota is used up, prune makes room, and publishing goes on")
  func freesQuota() async throws {
    let fleet = try await Fleet(members: 1, options: ["--quota-backend-bytes", "2097152"])
    func publish(_ number: Int) async throws -> Transcript {
      let text = flag("on", weight: number) + String(repeating: " ", count: 400_000)
      return try await fleet.run("app", "publish", "f", "--yes", files: ["f": text])
    }
    var (number, run) = (1, try await publish(1))
    while run.exitCode == 0, number < 20 {
      number += 1
      run = try await publish(number)
    }
    #expect(run.exitCode == 69 && run.errors.contains("space exceeded"), "\(run)")
    #expect(run.errors.contains("flagctl: prune --free-space makes room"), "\(run)")
    let plain = try await fleet.run("app", "prune", "--keep=\(number - 2)", "--yes")
    #expect(plain.output.contains("app: --free-space makes etcd smaller"), "\(plain)")
    #expect(try await publish(99).exitCode == 69)
    let pruned = try await fleet.run("app", "prune", "--keep=1", "--yes", "--free-space")
    #expect(pruned.exitCode == 0 && pruned.output.contains(/etcd is \d{6,} bytes smaller/), "\(pruned)")
    #expect(try await publish(100).exitCode == 0)
  }
}

/// A cluster, and the tool that works there.
private struct Fleet {
  let cluster: EtcdCluster

  init(members: Int = 3, options: [String] = []) async throws {
    cluster = try await onThread {
      try EtcdCluster(EtcdCluster.Program.all.first, members: members, options: options)
    }
  }

  /// Runs a command on a set, at the first two members.
  func run(_ set: String, _ words: String..., files: [String: String] = [:]) async throws -> Transcript {
    let all = [words[0], "--etcd=\(cluster.endpoints.prefix(2).joined(separator: ","))", "--set=\(set)"]
    return try await onThread { [words] in Transcript(all + words.dropFirst(), files: files) }
  }

  /// Writes a key as someone else does, or removes it.
  func write(_ key: String, _ value: String?) async throws {
    func encoded(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
    let body =
      value.map { #"{"key": "\#(encoded(key))", "value": "\#(encoded($0))"}"# } ?? #"{"key": "\#(encoded(key))"}"#
    _ = try await cluster.onThread { try $0.ask(0, value == nil ? "kv/deleterange" : "kv/put", body) }
  }

  /// Waits until the list of servers has some texts.
  func wait(_ set: String, for texts: String...) async throws {
    while true {
      let output = try await run(set, "fleet").output
      if texts.allSatisfy({ output.contains($0) }) { return }
      try Task.checkCancellation()
    }
  }
}

extension EtcdCluster {
  fileprivate func onThread<Outcome: Sendable>(
    _ work: @escaping @Sendable (EtcdCluster) throws -> Outcome
  ) async throws -> Outcome {
    try await TestSupport.onThread { try work(self) }
  }
}

extension RunningServer {
  /// Returns the readiness, the reason of an answer, and whether etcd can be reached.
  fileprivate func state() async throws -> String {
    let text = try await shell(
      """
      curl -s -o /dev/null -w '%{http_code} ' $URL/readyz
      curl -s $URL/ofrep/v1/evaluate/flags/f -d '{"context": {}}' | sed 's/.*"reason":"\\([A-Z]*\\)".*/\\1 /'
      curl -s $URL/metrics | grep '^flags_store_connected' | sed 's/.* //'
      """)
    return text.replacing("\n", with: "").trimmingCharacters(in: .whitespaces)
  }

  fileprivate func wait(for expected: String) async throws {
    while try await state() != expected { try Task.checkCancellation() }
  }
}
