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
  @Test("Both read the same served document, and agree about every feature for every user")
  func agrees() async throws {
    let standIn = try StandIn(Self.document, isStreaming: false)
    let provider = try GrowthBookProvider(clientKey: "sdk-1", host: standIn.host)
    try await waitUntil { provider.providerStatus.state == .ready }
    let document = try #require(provider.document)
    let users = Self.users(Effort.rounds(300, thorough: 2_000, long: 100_000))
    let theirs = try results(of: users, document.keys, standIn.host)
    #expect(theirs.count == users.count && document.keys.count == 20)
    var differences = 0
    var assignments = 0
    for (user, results) in zip(users, theirs) {
      let context = EvaluationContext(user: FlagUser(id: user["id"]?.text ?? "", attributes: user))
      for (key, result) in zip(document.keys, results.elements ?? []) {
        let answer = try document.evaluate(key, in: context, at: 0)
        let variation = answer?.isExperiment == true ? answer?.variant : nil
        let ours: FlagValue = [answer?.value ?? .null, variation.map(FlagValue.string) ?? .null]
        assignments += variation == nil ? 0 : 1
        if ours != result {
          differences += 1
          if differences < 5 { Issue.record("\(key) for \(FlagValue.object(user)): \(result), here \(ours)") }
        }
      }
    }
    print("\(users.count) users, \(document.keys.count) features, \(assignments) assignments: \(differences) differ")
    #expect(differences == 0)
    await standIn.stop()
  }

  private func results(of users: [[String: FlagValue]], _ keys: [String], _ host: URL) throws -> [FlagValue] {
    let file = FileManager.default.temporaryDirectory.appending(path: "users-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let lines = try users.map { try FlagValue.object($0).jsonString() }
    try Data(lines.joined(separator: "\n").utf8).write(to: file)
    let script = packageFolder.appending(path: "Tests/Services/FlagGrowthBookTests/Python/evaluate.py")
    let run = try ChildProcess.run(
      VirtualEnvironment.growthBook.python, [script.path, host.absoluteString, file.path] + keys)
    #expect(run.status == 0, "\(run.errors.suffix(2000))")
    return try run.output.split(separator: "\n").map { try FlagValue(json: $0.utf8) }
  }

  private static func users(_ count: Int) -> [[String: FlagValue]] {
    var random = SeededGenerator(seed: 20_240_501)
    func pick(_ values: [FlagValue]) -> FlagValue { values[Int.random(in: values.indices, using: &random)] }
    return (0..<count).map { number in
      [
        "id": .string("user-\(number)-\(UInt32.random(in: 0...UInt32.max, using: &random))"),
        "deviceId": .string("d\(UInt16.random(in: 0...UInt16.max, using: &random))é"),
        "company": .int(Int128.random(in: 1...5_000, using: &random)),
        "country": pick(["ES", "DE", "us", "fr", "PT"]), "plan": pick(["free", "pro", "team"]),
        "age": .int(Int128.random(in: 1...99, using: &random)), "beta": pick([true, false]),
        "version": pick(["1.0.0", "2.3.1-beta.2", "10.0.1", "2.3.1", "v3.0.0+7"]),
        "email": pick(["a@example.com", "b@example.org", "c@sub.example.com", "d@mail.test"]),
        "tags": .array((0..<Int.random(in: 0...3, using: &random)).map { _ in pick(["a", "b", "C", "d"]) }),
        "account": ["seats": .int(Int128.random(in: 1...50, using: &random)), "role": pick(["admin", "user"])],
      ]
    }
  }

  private static let document = #"""
    {"status": 200, "savedGroups": {"companies": [1, 2, 3, 500, 501, 502, 1000, 1001, 4999]}, "features": {
    "e0": {"defaultValue": 0, "rules": [{"variations": [1, 2]}]},
    "e1": {"defaultValue": 0, "rules": [{"variations": [1, 2, 3], "hashVersion": 2}]},
    "e2": {"defaultValue": 0, "rules": [{"key": "x2", "seed": "s2", "hashVersion": 2, "variations": ["a", "b"],
      "weights": [0.1, 0.9], "coverage": 0.7, "meta": [{"key": "control"}, {"key": "new"}]}]},
    "e3": {"defaultValue": 0, "rules": [{"variations": [1, 2], "namespace": ["n", 0.2, 0.8]}]},
    "e4": {"defaultValue": 0, "rules": [{"variations": [1, 2, 3, 4], "hashAttribute": "deviceId", "hashVersion": 2}]},
    "e5": {"defaultValue": 0, "rules": [{"variations": [1, 2], "hashAttribute": "company"}]},
    "e6": {"defaultValue": 0, "rules": [{"hashVersion": 2, "variations": [1, 2], "ranges": [[0, 0.25], [0.5, 0.75]]}]},
    "e7": {"defaultValue": 0, "rules": [{"hashVersion": 2, "variations": [1, 2], "filters": [
      {"seed": "f", "ranges": [[0, 0.3], [0.6, 0.9]]}, {"seed": "g", "attribute": "deviceId", "ranges": [[0.1, 1]]}]}]},
    "e8": {"defaultValue": 0, "rules": [{"key": "holdout", "hashVersion": 2, "variations": [1, 2],
      "ranges": [[0, 0.1], [0.1, 1]], "meta": [{"key": "h"}, {"key": "p", "passthrough": true}]},
      {"key": "after", "hashVersion": 2, "variations": [3, 4]}]},
    "e9": {"defaultValue": 0, "rules": [{"condition": {"plan": {"$ne": "free"}}, "variations": [{"w": 1}, {"w": 2}]}]},
    "f0": {"defaultValue": false, "rules": [{"force": true, "coverage": 0.33335}]},
    "f1": {"defaultValue": false, "rules": [{"force": true, "coverage": 0.50005, "hashVersion": 2, "seed": "f1"},
      {"force": "all", "condition": {"age": {"$gte": 50}}}]},
    "f2": {"defaultValue": "n", "rules": [{"condition": {"country": {"$in": ["ES", "DE"]}}, "force": "in"},
      {"condition": {"country": {"$ini": ["FR"]}}, "force": "ini"}]},
    "f3": {"defaultValue": "n", "rules": [{"condition": {"version": {"$vgte": "2.3.1", "$vlt": "10.0.0"}}, "force": "v"}]},
    "f4": {"defaultValue": "n", "rules": [{"condition": {"email": {"$regex": "@(sub\\.)?example\\.com$"}}, "force": "r"},
      {"condition": {"$not": {"email": {"$regex": "^[a-b]"}}}, "force": "not"}]},
    "f5": {"defaultValue": "n", "rules": [{"condition": {"tags": {"$elemMatch": {"$in": ["a", "d"]}}}, "force": "t"},
      {"condition": {"tags": {"$alli": ["c"]}, "age": {"$lt": 50}}, "force": "c"},
      {"condition": {"tags": {"$size": 0}}, "force": "none"}]},
    "f6": {"defaultValue": "n", "rules": [{"condition": {"company": {"$inGroup": "companies"}}, "force": "g"},
      {"condition": {"$or": [{"account.role": "admin", "account.seats": {"$gt": 25}}, {"beta": true}]}, "force": "or"}]},
    "f7": {"defaultValue": "n", "rules": [{"parentConditions": [{"id": "e1", "condition": {"value": 2}}], "force": "p"},
      {"parentConditions": [{"id": "f2", "condition": {"value": {"$ne": "n"}}, "gate": true}]},
      {"force": "open", "range": [0, 0.5], "hashVersion": 2}]},
    "f8": {"defaultValue": {"a": [1, 2.5]}, "rules": [{"condition": {"$nor": [{"plan": "pro"}, {"age": {"$gt": 40}}]},
      "force": {"a": []}}]},
    "f9": {"defaultValue": 1.5, "rules": [{"condition": {"beta": false, "plan": {"$nin": ["team"]}}, "force": 2.25}]}
    }}
    """#
}
