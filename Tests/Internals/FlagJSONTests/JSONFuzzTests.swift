import FlagDomain
import FlagJSON
import Foundation
import TestSupport
import Testing

@Suite("JSON texts with mistakes in them", .computing)
struct JSONFuzzTests {
  @Test("A text that ends early is an error at any byte")
  func truncated() throws {
    let bytes = Array(Self.document.utf8)
    for count in 0..<bytes.count {
      let error = try #require(JSONError.thrown(reading: Array(bytes[..<count])))
      #expect(error.code == .syntax && error.offset <= count, "\(count)")
    }
    #expect(throws: Never.self) { try FlagValue(json: bytes) }
  }

  @Test("Whatever is changed in a text, it is read as Foundation reads it, or is an error inside of the text")
  func mutated() throws {
    var generator = SeededGenerator(seed: 38)
    var accepted = 0
    let count = Effort.rounds(3_000, thorough: 10_000, long: 100_000)
    for _ in 0..<count {
      let bytes = mutation(of: Array(Self.document.utf8), using: &generator)
      let text = String(decoding: bytes, as: UTF8.self)
      do throws(JSONError) {
        let value = try FlagValue(json: bytes)
        accepted += 1
        let written = FlagError.thrown(writing: value)
        #expect(written == nil, "\(text)")
        #expect(foundationObject(bytes).map { value.isSame(as: $0) } == true, "\(text)")
      } catch {
        #expect((0...bytes.count).contains(error.offset) && error.description.count < 300, "\(text)")
        // Foundation lets a trailing comma pass, guesses encodings by zero bytes, and mends what is no UTF-8.
        let isLenient = error.found == "a trailing comma" || bytes.contains(0) || text.utf8.count != bytes.count
        #expect(error.code == .range || isLenient || foundationObject(bytes) == nil, "\(error): \(text)")
      }
    }
    #expect((count / 20..<count - count / 20).contains(accepted), "both must be tried")
  }

  @Test("Parts of a text that are asked for in any order never trap")
  func wandering() {
    var generator = SeededGenerator(seed: 9)
    for _ in 0..<5_000 {
      let bytes = mutation(of: Array(Self.document.utf8), using: &generator)
      _ = JSONReader.read(bytes) { reader in
        JSONError.thrown { () throws(JSONError) in try wander(&reader, using: &generator) }
      }
    }
  }

  /// Takes a random way through a text.
  private func wander(_ reader: inout JSONReader, using generator: inout SeededGenerator) throws(JSONError) {
    var entered: [JSONKind] = []
    let start = reader.mark
    for _ in 0..<100 {
      switch (Int.random(in: 0..<10, using: &generator), reader.kind) {
      case (0, _):
        reader.reset(to: start)
        entered = []
      case (1...2, _?): _ = try reader.readValue()
      case (3, _?): try reader.skipValue()
      case (4...7, .array):
        try reader.enterArray()
        entered.append(.array)
      case (4...7, .object):
        try reader.enterObject()
        entered.append(.object)
      default:
        guard let kind = entered.last else { return try reader.finish() }
        if try kind == .object ? reader.nextMember() == nil : !reader.nextElement() { entered.removeLast() }
      }
      _ = (reader.path, reader.nameOffset, reader.offset, reader.duplicates)
    }
  }

  private func mutation(of bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let index = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes.remove(at: index)
      case 2: bytes.insert(Array("[]{},:\"\\0.eE-+ntf \n".utf8).randomElement(using: &generator) ?? 0, at: index)
      case 3: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &generator)], at: index)
      case 4:
        bytes.replaceSubrange(
          index..., with: bytes[index...].reversed().prefix(Int.random(in: 0...2, using: &generator)) + bytes[index...])
      default: bytes[index] = bytes[index].isMultiple(of: 2) ? UInt8(ascii: "7") : UInt8(ascii: " ")
      }
    }
    return bytes
  }

  private func foundationObject(_ bytes: [UInt8]) -> Any? {
    try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)  // nil is what is asked for
  }

  private static let document = #"""
    {"flags": {"new-\u0070rofile": {"state": "ENABLED", "variants": {"on": true, "off": false, "größe": [1, -2.50e+3, 0]},
      "targeting": {"if": [{"in": [{"var": "countryCode"}, ["es", "p\n\ud834\udd1e"]]}, "on", null]}}}, "x": 12345678901234567890123}
    """#
}
