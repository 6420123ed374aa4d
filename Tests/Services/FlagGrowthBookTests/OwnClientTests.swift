import FlagDefinitions
import FlagDomain
import FlagGrowthBook
import FlagJSON
import FlagProviders
import FlagRemote
import Foundation
import TestSupport
import Testing

@Suite("GrowthBook's own SDK for Python, beside the provider", .needs(.growthBookClient), .timeLimit(.minutes(30)))
struct OwnClientTests {
  /// What makes a feature an error here that opens there, by its message.
  private static let listed = ["expected ", "unknown operator", "unknown type", "no saved group", "needs itself"]

  @Test("Both read the same served document, and agree about every feature for every user", arguments: [false, true])
  func agrees(isIllTyped: Bool) async throws {
    var (assignments, values, errors, differences) = (0, 0, 0, 0)
    for seed in 0..<UInt64(Effort.rounds(2, long: 120)) {
      var random = RandomFeatures(seed: seed, isIllTyped: isIllTyped)
      let text = try random.document(of: 25).jsonString()
      let users = (0..<10).map { _ in random.user() }
      let standIn = try StandIn(text, isStreaming: false)
      // Their SDK cannot look for variations that users keep by attributes whose names are no texts.
      let isSticky = !isIllTyped && !seed.isMultiple(of: 2)
      let format = GrowthBookFormat(stickyBuckets: isSticky ? InMemoryStickyBuckets() : nil)
      let provider = try GrowthBookProvider(clientKey: "sdk-1", host: standIn.host, format: format)
      try await waitUntil { provider.providerStatus.state == .ready }
      let document = try #require(provider.document)
      let theirs = try results(of: users, document.keys, standIn.host, isSticky: isSticky)
      try #require(theirs.count == users.count)
      for (user, results) in zip(users, theirs) {
        for (key, theirs) in zip(document.keys, results.elements ?? []) {
          let ours = Self.result(of: key, in: document, for: user)
          values += 1
          assignments += ours.variation == nil ? 0 : 1
          errors += ours.error == nil ? 0 : 1
          if let difference = ours.difference(from: theirs, isIllTyped: isIllTyped) {
            differences += 1
            if differences < 5 { Issue.record("\(seed) \(key) for \(FlagValue.object(user)): \(difference)") }
          }
        }
      }
      await standIn.stop()
    }
    print("\(values) evaluations, \(errors) errors, \(assignments) assignments: \(differences) differ")
    #expect(differences == 0)
    // Errors are compared by their messages alone.
    #expect(errors < values / (isIllTyped ? 2 : 10) && assignments > values / 50)
  }

  private func results(
    of users: [[String: FlagValue]], _ keys: [String], _ host: URL, isSticky: Bool
  ) throws -> [FlagValue] {
    let file = FileManager.default.temporaryDirectory.appending(path: "users-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let lines = try users.map { try FlagValue.object($0).jsonString() }
    try Data(lines.joined(separator: "\n").utf8).write(to: file)
    let script = packageFolder.appending(path: "Tests/Services/FlagGrowthBookTests/Python/evaluate.py")
    let run = try ChildProcess.run(
      VirtualEnvironment.growthBook.python,
      [script.path, host.absoluteString, file.path, isSticky ? "sticky" : "plain"] + keys)
    #expect(run.status == 0, "\(run.errors.suffix(2000))")
    return try run.output.split(separator: "\n").map { try FlagValue(json: $0.utf8) }
  }

  private static func result(
    of key: String, in document: any DefinitionDocument, for user: [String: FlagValue]
  ) -> Outcome {
    do throws(FlagError) {
      let answer = try document.evaluate(key, in: EvaluationContext(attributes: user), at: 0)
      return Outcome(
        value: answer?.value ?? .null, variation: answer?.isExperiment == true ? answer?.variant : nil, error: nil)
    } catch {
      return Outcome(value: .null, variation: nil, error: error.message)
    }
  }

  /// The outcome of a feature here.
  private struct Outcome {
    let value: FlagValue
    let variation: String?
    let error: String?

    /// Returns how theirs differs, unless that is listed; nil if it does not.
    func difference(from theirs: FlagValue, isIllTyped: Bool) -> String? {
      let ours: FlagValue = [value, variation.map(FlagValue.string) ?? .null]
      guard let error else { return ours == theirs ? nil : "\(theirs), here \(ours)" }
      // Their SDK raises an exception, or has no value: nobody gets anything in either.
      if theirs == .null || theirs == [.null, .null] { return nil }
      let isListed = isIllTyped && OwnClientTests.listed.contains { error.contains($0) }
      return isListed ? nil : "\(theirs), here the error \(error)"
    }
  }
}
