import FlagDomain
import FlagProviders
import FlagTesting
import Foundation
import TestSupport
import Testing

@Suite("Payload provider")
struct PayloadProviderTests {
  private struct Payload: Codable {
    struct Config: Codable {
      var features: [String: Bool]
    }
    var config: Config
  }

  private let payload = Payload(config: .init(features: ["new-profile": true]))

  @Test("Meets the contract of every provider")
  func meetsContract() async throws {
    let provider = try PayloadProvider(payload, at: "config.features")
    var contract = ProviderContract(provider, present: ["new-profile": true], absent: "config")
    contract.change = .init(to: ["new-profile": false]) {
      try provider.update(Payload(config: .init(features: ["new-profile": false])))
    }
    try await contract.check()
  }

  @Test("JSON does as well as a value, and lists are reached into")
  func readsJSON() throws {
    let provider = try PayloadProvider(json: Data(#"{"config": [{"s": 1}, {"s": [2, 3]}]}"#.utf8), at: "config")
    #expect(provider.snapshot().value(of: "1.s.0") == 2)
    #expect(
      throws: FlagError(.typeMismatch, "expected an index below 2 for the array at \"\", found \"2\"")
    ) {
      try provider.snapshot().answer(for: "2.s", in: EvaluationContext())
    }
    try provider.update(json: Data(#"{"config": []}"#.utf8))
    #expect(provider.snapshot().value(of: "1.s.0") == nil)
  }

  @Test("A payload that lacks the path, or is broken, is an error, and the values stay")
  func keepsGoodValues() throws {
    let provider = try PayloadProvider(payload, at: "config.features")
    #expect(throws: FlagError(.parseError, "expected an object at \"config.features\", found nothing")) {
      try provider.update(["config": [String: Bool]()])
    }
    #expect(throws: FlagError(.parseError, "expected an object or an array at \"config\", found boolean")) {
      try provider.update(["config": true])
    }
    #expect(throws: FlagError.self) { try provider.update(json: Data("{".utf8)) }
    #expect(throws: FlagError(.parseError, "expected an object at \"config.features\", found integer")) {
      try PayloadProvider(json: Data(#"{"config": {"features": 1}}"#.utf8), at: "config.features")
    }
    #expect(provider.snapshot().value(of: "new-profile") == true)
  }
}
