import FlagDefinitions
import FlagDomain
import FlagProviders
import Foundation
import TestSupport
import Testing

@Suite("Keys that code does not name")
struct InterningTests {
  /// Returns the number of keys in the process, to which other tests may add; a key that is new then has a greater one.
  private func keyCount(_ probe: String) throws -> Int { try #require(FlagKey(validating: "probe-\(probe)")).index }

  @Test("Documents of many keys intern none of them, however often they are replaced, and changes have names")
  func internsNone() throws {
    func document(_ round: Int) throws -> FlagDocument {
      let flags = (0..<2_000).map {
        #""stranger-\#(round)-\#($0)":{"state":"ENABLED","variants":{"on":true},"defaultVariant":"on"}"#
      }
      return try FlagDocument(parsing: Data("{\"flags\":{\(flags.joined(separator: ","))}}".utf8))
    }
    let provider = InHouseProvider(try document(0))
    let received = Locked<[ChangedKeys]>([])
    let subscription = provider.subscribe { keys in received.withLock { $0.append(keys) } }
    for round in 1...5 { provider.update(with: try document(round)) }
    let count = try keyCount("after")
    for round in 0...5 {
      #expect(try #require(FlagKey(validating: "stranger-\(round)-\(round * 300)")).index > count)
    }
    #expect(
      received.withLock { $0 }.allSatisfy { if case .some(let names) = $0 { names.count == 4_000 } else { false } })
    #expect(received.withLock { $0 }.last?.contains("stranger-5-7") == true)
    subscription.cancel()
  }

  @Test("A file's changes make no keys either")
  func internsNoPaths() throws {
    let provider = try PayloadProvider(json: Data("{}".utf8))
    let fields = (0..<5_000).map { "\"payload-stranger-\($0)\":1" }
    try provider.update(json: Data("{\(fields.joined(separator: ","))}".utf8))
    let count = try keyCount("after-payload")
    for number in [0, 2_500, 4_999] {
      #expect(try #require(FlagKey(validating: "payload-stranger-\(number)")).index > count)
    }
  }

  @Test("Names of a vendor that no key can have are reached under keys")
  func reachesVendorNames() throws {
    let provider = try PayloadProvider(json: Data(#"{"New profile":true,"Page size":20}"#.utf8))
    let mapped = provider.renamed(["new-profile": "New profile", "page-size": "Page size"])
    #expect(mapped.snapshot().value(of: "new-profile") == true)
    #expect(mapped.snapshot().value(of: "page-size") == 20)
    let received = Locked<[ChangedKeys]>([])
    let subscription = mapped.subscribe { keys in received.withLock { $0.append(keys) } }
    try provider.update(json: Data(#"{"New profile":true,"Page size":30}"#.utf8))
    #expect(received.withLock { $0 }.first?.contains("page-size") == true)
    subscription.cancel()
  }
}

@Suite("Errors for people")
struct LocalizedErrorTests {
  @Test("An error's localised description is what it says of itself")
  func describes() {
    let error: any Error = FlagError(.parseError, "expected an object", key: "a", provider: "file")
    #expect(error.localizedDescription == "PARSE_ERROR (flag a, provider file): expected an object")
    let document = #expect(throws: FlagDocumentError.self) { try FlagDocument(parsing: Data("[]".utf8)) }
    #expect((document as (any Error)?)?.localizedDescription.contains("1:1") == true)
  }
}
