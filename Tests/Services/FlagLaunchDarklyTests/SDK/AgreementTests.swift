import FlagDomain
import FlagJSON
import FlagProviders
import FlagRemote
import Foundation
import TestSupport
import Testing

@testable import FlagLaunchDarkly

@Suite("LaunchDarkly's own SDK for Python, and ours, of one server", .timeLimit(.minutes(30)), .needs(.launchDarkly))
struct AgreementTests {
  @Test("They agree about random flags for random contexts", arguments: ["polling", "streaming"])
  func agree(mode: String) async throws {
    for seed in 0..<UInt64(Effort.rounds(1, long: 10)) {
      var random = RandomFlags(seed: seed)
      let document = random.document()
      let contexts = (0..<Effort.rounds(25, long: 150)).map { _ in random.context() }
      try await compare(document, random.keys, contexts, mode: mode)
    }
  }

  @Test("They give users the same buckets")
  func agreeAboutBuckets() async throws {
    var random = RandomFlags(seed: 29)
    let document = random.rollouts()
    let users = (0..<Effort.rounds(50, long: 3_000)).map { random.user($0) }
    try await compare(document, random.keys, users, mode: "polling")
  }

  private func compare(
    _ document: FlagValue, _ keys: [String], _ contexts: [FlagValue], mode: String
  ) async throws {
    let server = try StandInServer(document)
    var options = ServiceOptions()
    options.isStreaming = mode == "streaming"
    let provider = try LaunchDarklyProvider(sdkKey: "sdk-key", at: .relay(server.url), options: options)
    try await waitUntil { provider.providerStatus.state == .ready }
    let snapshot = provider.snapshot()
    let output = try await Self.evaluate(contexts, keys, at: server.url, mode: mode)
    let lines = output.split(separator: "\n")
    try #require(lines.count == contexts.count)
    let flags = keys.map { FlagKey(providerName: $0) }
    var differences = 0
    for (context, line) in zip(contexts, lines) {
      let ours = try EvaluationContext(launchDarkly: context)
      guard case .array(let outcomes) = try FlagValue(json: line.utf8) else { continue }
      for (key, outcome) in zip(flags, outcomes) {
        let found = Outcome(of: key, in: ours, snapshot)
        guard !found.value.isSameJSON(as: outcome) else { continue }
        differences += 1
        if differences < 5 { Issue.record("\(key) for \(context): \(found.value), not \(outcome)") }
      }
    }
    #expect(differences == 0)
  }

  /// Runs the SDK, and returns its outcomes, one line for a context.
  private static func evaluate(
    _ contexts: [FlagValue], _ keys: [String], at url: URL, mode: String
  ) async throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (input, output) = (folder.appending(path: "contexts"), folder.appending(path: "outcomes"))
    try Data(contexts.map { "\($0)\n" }.joined().utf8).write(to: input)
    try Data().write(to: output)
    let (from, to) = (try FileHandle(forReadingFrom: input), try FileHandle(forWritingTo: output))
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "evaluate.py").path
    let program = try ChildProcess(
      VirtualEnvironment.launchDarkly.python, [script, "\(url)", mode] + keys, input: from.fileDescriptor,
      output: to.fileDescriptor)
    let code = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: program.wait()) }
    }
    #expect(code == 0)
    return try String(contentsOf: output, encoding: .utf8)
  }
}

/// The outcome of a flag in the SDK's words: value, variation, reason.
private struct Outcome {
  let value: FlagValue

  init(of key: FlagKey, in context: EvaluationContext, _ snapshot: any ProviderSnapshot) {
    do throws(FlagError) {
      guard let answer = try snapshot.answer(for: key, in: context) else {
        value = ["none", .null, ["kind": "ERROR", "errorKind": "FLAG_NOT_FOUND"]]
        return
      }
      value = [
        answer.value ?? "none", answer.variant.flatMap { Int128($0) }.map(FlagValue.int) ?? .null,
        Self.reason(answer.metadata),
      ]
    } catch {
      value = ["none", .null, Self.reason(error.metadata)]
    }
  }

  private static func reason(_ metadata: [String: FlagValue]) -> FlagValue {
    var members = metadata
    members["kind"] = members.removeValue(forKey: "reason")
    return .object(members)
  }
}
