import FlagDefinitions
import FlagDomain
import FlagGrowthBook
import FlagProviders
import FlagServices
import Foundation
import TestSupport
import Testing

@testable import FlagRemote
@testable import FlagServer

@Suite("Answers that are served and read back")
struct ServedAnswerTests {
  @Test("A client has every field of the server's answer, in each format", arguments: documents)
  func readsBack(document: Served) throws {
    let context = EvaluationContext(user: FlagUser(id: "ann", attributes: ["company": 7]))
    var answers: [FlagAnswer] = []
    let definitions = try document.format.read(Array(document.text.utf8), of: nil)
    for listed in definitions.listed {
      let answer = try #require(try definitions.evaluate(listed.key, in: context, at: 0))
      expectSameFields(try read(answer, of: listed), answer, except: Self.unsent)
      answers.append(answer)
    }
    #expect(answers.contains { $0.isExperiment && $0.variant != nil && $0.metadata["unitAttribute"] == "company" })
  }

  @Test("A client has the code and the metadata of the server's error")
  func readsErrorsBack() throws {
    let error = FlagError(.targetingKeyMissing, "expected an id", key: "every-field.error", metadata: ["version": "3"])
    var bytes: [UInt8] = []
    WrittenFlag.write(error, key: "every-field.error", to: &bytes)
    let read = #expect(throws: FlagError.self) { try answers(bytes).answer(for: "every-field.error", in: .init()) }
    #expect(read?.code == error.code && read?.metadata == error.metadata)
  }

  /// What only evaluation needs, and the metadata by which an experiment is sent.
  private static let unsent = ["isTransient", "isMissingTargetingKey", "metadata.experiment"]

  private func read(_ answer: FlagAnswer, of listed: ListedFlag) throws -> FlagAnswer {
    var bytes: [UInt8] = []
    WrittenFlag(listed).write(answer, to: &bytes)
    let key = try #require(FlagKey(validating: listed.key))
    return try #require(try answers(bytes).answer(for: key, in: EvaluationContext()))
  }

  private func answers(_ answer: [UInt8]) throws -> RemoteAnswers {
    let bulk = Array(#"{"flags": ["#.utf8) + answer + Array("]}".utf8)
    return try OFREPAnswers(bulk, base: #require(URL(string: "https://flags.example"))).answers
  }

  struct Served: CustomTestStringConvertible, Sendable {
    let format: any DefinitionFormat
    let text: String

    var testDescription: String { format.name }
  }

  private static let documents = [
    Served(
      format: .inHouse,
      text: #"""
        {"metadata": {"flagSetId": "app", "version": "3"}, "flags": {
          "every-field.fixed": {"state": "ENABLED", "variants": {"a": {"b": [1]}}, "defaultVariant": "a"},
          "every-field.off": {"state": "DISABLED", "variants": {"a": 1}, "defaultVariant": "a"},
          "every-field.rule": {"state": "ENABLED", "variants": {"a": 1, "b": 2}, "defaultVariant": "a",
            "targeting": {"if": [{"==": [{"var": "company"}, 7]}, "b", null]},
            "metadata": {"experiment": true, "unitAttribute": "company"}}}}
        """#),
    Served(
      format: .growthBook,
      text: #"""
        {"status": 200, "features": {
          "every-field.fixed": {"defaultValue": {"b": [1]}},
          "every-field.forced": {"defaultValue": 1, "rules": [{"id": "r", "condition": {"company": 7}, "force": 2}]},
          "every-field.split": {"defaultValue": 0, "rules": [{"id": "r", "key": "test", "variations": [1, 2],
            "hashAttribute": "company", "hashVersion": 2, "meta": [{"name": "A"}, {"name": "B"}]}]}}}
        """#),
  ]
}
