import FlagDefinitions
import FlagDomain
import Foundation
import TestSupport
import Testing

@testable import FlagReview

@Suite("Schema conformance", .needs(.conformance(.flagdSchemas)))
struct SchemaConformanceTests {
  @Test("What the schema accepts has no errors", arguments: Documents.all("positive"))
  func accepts(document: String) throws {
    #expect(try errors(in: document) == [])
  }

  @Test("What the schema rejects has errors", arguments: Documents.all("negative"))
  func rejects(document: String) throws {
    #expect(try !errors(in: document).isEmpty)
  }

  @Test("The daemon's form, with an array of flags, is rejected in words", arguments: Documents.daemons)
  func rejectsDaemonForm(document: String) throws {
    let errors = try errors(in: document)
    #expect(errors.count == 1)
    #expect(errors.first?.contains("$.flags: expected an object with the flags by their keys, found an array") == true)
  }

  private func errors(in document: String) throws -> [String] {
    var bytes = try ConformanceSuite.flagdSchemas.bytes("test/\(document)")
    // As a shared rule, beside the one that the documents refer to: the schema knows nothing of a flag's variants.
    if document.hasPrefix("targeting/") {
      bytes = Array(#"{"flags":{},"$evaluators":{"rule":"#.utf8) + bytes + Array(#","some-ref":{"!":1}}}"#.utf8)
    }
    return FlagDocument.diagnostics(in: Data(bytes)).filter { $0.severity == .error }.map(\.description)
  }
}

/// The names of the schema's own test documents.
private enum Documents {
  static let daemons = all("positive", daemonForm: true)

  static func all(_ verdict: String, daemonForm: Bool = false) -> [String] {
    ["flags", "flagd", "targeting"].flatMap { kind in
      names(in: "\(kind)/\(verdict)").filter { ($0.contains("array") && verdict == "positive") == daemonForm }
    }
  }

  private static func names(in folder: String) -> [String] {
    let path = ConformanceSuite.flagdSchemas.file("test/\(folder)").path
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return names.sorted().map { "\(folder)/\($0)" }
  }
}
