import FlagDomain
import Testing

@Suite("Reading flag values as types")
struct FlagValueDecodingTests {
  @Test(
    "Whole numbers read as integers that hold them exactly",
    arguments: [
      (.int(300), nil), (255, 255), (0, 0), (-1, nil), (10.0, 10), (10.5, nil), (.double(.nan), nil),
      (.double(.infinity), nil), (1e300, nil), ("7", nil), ("abc", nil), (true, nil), (.null, nil), ([7], nil),
    ] as [(FlagValue, UInt8?)])
  func readsUInt8(value: FlagValue, expected: UInt8?) throws {
    try expect(value, toReadAs: expected)
  }

  @Test(
    "Numbers read as Double exactly, and never from text or booleans",
    arguments: [
      (1, 1.0), (1.5, 1.5), (.int(1 << 53), 0x1p53), (.int(1 << 53 + 1), nil), ("1.5", nil), (true, nil),
    ] as [(FlagValue, Double?)])
  func readsDouble(value: FlagValue, expected: Double?) throws {
    try expect(value, toReadAs: expected)
  }

  @Test(
    "A fraction reads as Float when it is in range",
    arguments: [
      (0.1, 0.1), (1e300, nil), (16_777_217, nil), (3, 3),
    ] as [(FlagValue, Float?)])
  func readsFloat(value: FlagValue, expected: Float?) throws {
    try expect(value, toReadAs: expected)
  }

  @Test(
    "Only booleans read as Bool",
    arguments: [
      (true, true), (false, false), (1, nil), (1.0, nil), ("true", nil), (.null, nil),
    ] as [(FlagValue, Bool?)])
  func readsBool(value: FlagValue, expected: Bool?) throws {
    try expect(value, toReadAs: expected)
  }

  @Test("A list with one bad element is a mismatch as a whole, and says where")
  func refusesBadElements() {
    #expect(throws: FlagError(.typeMismatch, "at [1]: expected Int, found string \"x\"")) {
      try FlagValue.array([1, "x", 3]).decode(as: [Int].self)
    }
  }

  @Test("Null is a value for an optional, and a mismatch for anything else")
  func readsNull() throws {
    #expect(try FlagValue.null.decode(as: Int?.self) == nil)
    #expect(try FlagValue.int(3).decode(as: Int?.self) == 3)
    #expect(throws: FlagError(.typeMismatch, "expected Int, found null")) {
      try FlagValue.null.decode(as: Int.self)
    }
  }

  @Test("A record reads as a structure, with the place of what is wrong")
  func readsStructures() throws {
    let value: FlagValue = ["rows": [["title": "a", "size": 2], ["title": "b", "size": .null]], "kind": "list"]
    #expect(
      try value.decode(as: Layout.self)
        == Layout(kind: .list, rows: [Layout.Row(title: "a", size: 2), Layout.Row(title: "b", size: nil)]))
    #expect(throws: FlagError(.typeMismatch, "at rows[0]: expected a field \"title\", found none")) {
      try (["rows": [[:]], "kind": "grid"] as FlagValue).decode(as: Layout.self)
    }
  }

  @Test("An unknown raw value of an enumeration is a mismatch")
  func refusesUnknownCases() {
    #expect(throws: FlagError.self) { try FlagValue.string("carousel").decode(as: Layout.Kind.self) }
  }

  @Test(
    "Where all is text, a boolean is one of three words, in any case",
    arguments: [
      ("true", true), ("TRUE", true), ("True", true), ("yes", true), ("YES", true), ("1", true), ("false", false),
      ("FALSE", false), ("no", false), ("No", false), ("0", false), ("", nil), ("maybe", nil), ("2", nil), ("1.0", nil),
      (" true", nil), ("y", nil), ("on", nil),
    ] as [(String, Bool?)])
  func readsTextAsBool(text: String, expected: Bool?) throws {
    try expect(.string(text), toReadAs: expected) { text throws(FlagError) in .string(text) }
  }

  @Test(
    "Where all is text, only numerals of JSON read as numbers",
    arguments: [
      ("42", 42), ("-7", -7), ("10.0", 10), ("1e2", 100), ("abc", nil), ("12abc", nil), ("", nil), ("+5", nil),
      ("0x10", nil), ("007", nil), (" 1", nil), ("1.", nil), (".5", nil), ("-", nil), ("１", nil), ("nan", nil),
      ("99999999999999999999999999999999999999999999999", nil),
    ] as [(String, Int?)])
  func readsTextAsInt(text: String, expected: Int?) throws {
    try expect(.string(text), toReadAs: expected) { text throws(FlagError) in .string(text) }
  }

  @Test("Where all is text, text stays text, and a reader makes structures of it")
  func readsTextAsStructure() throws {
    let reader: TextReader = { text throws(FlagError) in .array(text.split(separator: ",").map { .string("\($0)") }) }
    #expect(try FlagValue.string("true").decode(as: String.self, textReader: reader) == "true")
    #expect(try FlagValue.string("es,en").decode(as: [String].self, textReader: reader) == ["es", "en"])
    #expect(throws: FlagError.self) { try FlagValue.string("1,2").decode(as: [Int].self, textReader: reader) }
  }

  /// Expects a value, or for nil a type mismatch and no other error.
  private func expect<Value: Decodable & Equatable>(
    _ value: FlagValue, toReadAs expected: Value?, textReader: TextReader? = nil
  ) throws {
    guard let expected else {
      let error = #expect(throws: FlagError.self) { try value.decode(as: Value.self, textReader: textReader) }
      #expect(error?.code == .typeMismatch)
      return
    }
    #expect(try value.decode(as: Value.self, textReader: textReader) == expected)
  }
}

private struct Layout: Codable, Equatable {
  var kind: Kind
  var rows: [Row]

  enum Kind: String, Codable { case list, grid }

  struct Row: Codable, Equatable {
    var title: String
    var size: Int?
  }
}
