import FlagDomain
import FlagJSON
import Foundation
import TestSupport
import Testing

@Suite("A public collection of JSON texts", .needs(.conformance(.json)))
struct JSONConformanceTests {
  @Test("What must be accepted is, what must be rejected is, and nothing crashes")
  func texts() throws {
    let cases = try ParsingCase.all()
    #expect(cases.count == 318)
    for text in cases {
      let error = JSONError.thrown(reading: text.bytes)
      switch text.expectation {
      case "accept": #expect(error == nil, "\(text.name): \(error.map(String.init(describing:)) ?? "")")
      case "reject": #expect(error != nil, "\(text.name)")
      default: continue
      }
    }
  }

  @Test("What is passed over without being read is accepted and rejected alike")
  func skipping() throws {
    for text in try ParsingCase.all() where text.expectation != "either" {
      let error = JSONError.thrown { () throws(JSONError) in
        try JSONReader.read(text.bytes) { reader throws(JSONError) in try reader.finish() }
      }
      #expect((error == nil) == (text.expectation == "accept"), "\(text.name)")
    }
  }

  @Test("What is accepted has the value that Foundation reads, where that is without loss")
  func values() throws {
    for text in try ParsingCase.all() where text.expectation == "accept" {
      let value = try FlagValue(json: text.bytes)
      let object = try JSONSerialization.jsonObject(with: Data(text.bytes), options: .fragmentsAllowed)
      #expect(value.isSame(as: object), "\(text.name): \(value)")
    }
  }

  @Test("What is accepted is written as text that reads as the same value")
  func writing() throws {
    for text in try ParsingCase.all() {
      guard let value = try? FlagValue(json: text.bytes) else { continue }  // rejected: nothing to write
      #expect(try value.writtenAndRead().isIdentical(to: value), "\(text.name)")
    }
  }
}

/// A text of the collection.
private struct ParsingCase {
  let name: String
  let expectation: String
  let bytes: [UInt8]

  static func all() throws -> [ParsingCase] {
    try ConformanceSuite.json.bytes("parsing.jsonl").split(separator: UInt8(ascii: "\n"))
      .map { try ParsingCase(line: [UInt8]($0)) }
  }

  private init(line: [UInt8]) throws {
    guard case .object(let members) = try FlagValue(json: line), case .string(let name) = members["name"],
      case .string(let expectation) = members["expect"], case .string(let base64) = members["base64"],
      let data = Data(base64Encoded: base64)
    else { throw CocoaError(.fileReadCorruptFile) }
    self.name = name
    self.expectation = expectation
    bytes = [UInt8](data)
  }
}
