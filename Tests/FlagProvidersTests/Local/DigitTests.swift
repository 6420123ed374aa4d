import FlagDomain
import FlagProviders
import Foundation
import TestSupport
import Testing

@Suite("Digits that a double does not keep")
struct DigitTests {
  /// Each way in which a numeral in a document becomes the value of a flag `n`.
  enum Source: CaseIterable {
    case file, payload, structured, list, environment, launchArgument, override

    func value(_ numeral: String) throws -> (value: FlagValue?, reader: TextReader?) {
      let json = Data(#"{"n": \#(numeral), "deep": {"list": [0, \#(numeral)]}}"#.utf8)
      switch self {
      case .file:
        let folder = try TemporaryFolder()
        let text = String(decoding: json, as: UTF8.self)
        let provider = try JSONFileProvider(contentsOf: folder.file("flags.json", text))
        return (provider.snapshot().value(of: "n"), nil)
      case .payload: return (try PayloadProvider(json: json).snapshot().value(of: "n"), nil)
      case .structured:
        return (try PayloadProvider(json: json, at: "deep").snapshot().value(of: "list.1"), nil)
      case .list:
        let snapshot = EnvironmentProvider(variables: ["LIST": "[0, \(numeral)]"]).snapshot()
        return (try snapshot.value(of: "list")?.decode(as: [FlagValue].self, textReader: snapshot.textReader)[1], nil)
      case .environment:
        let snapshot = EnvironmentProvider(variables: ["N": numeral]).snapshot()
        return (snapshot.value(of: "n"), snapshot.textReader)
      case .launchArgument:
        let snapshot = LaunchArgumentsProvider(["app", "--n=\(numeral)"]).snapshot()
        return (snapshot.value(of: "n"), snapshot.textReader)
      case .override:
        let folder = try TemporaryFolder()
        let store = FileOverrideStore(try folder.file("overrides.json", String(decoding: json, as: UTF8.self)))
        try store.write(["other": 1])
        return (try store.load()["n"], nil)
      }
    }
  }

  static let numerals = [
    "1234567890123456.78", "0.1", "1.10", "9007199254740993.0", "9007199254740993", "9007199254740992.5",
    "0.1000000000000000055", "1234567890.12345678901234567890", "-12345678901234567.25", "1e23", "1.0E+2",
    "123456789012345678901234567890.5", "1.2345678901234568e18", "18446744073709551615", "4.9e-24",
  ]

  @Test("A decimal number has every digit of the numeral, from every source", arguments: Source.allCases, numerals)
  func keepsDecimals(source: Source, numeral: String) throws {
    let (value, reader) = try source.value(numeral)
    #expect(try value?.decode(as: Decimal.self, textReader: reader) == Decimal(string: numeral))
  }

  @Test("A double is the closest one to the numeral, from every source", arguments: Source.allCases, numerals)
  func roundsDoubles(source: Source, numeral: String) throws {
    let (value, reader) = try source.value(numeral)
    guard numeral.contains(where: { ".eE".contains($0) }) else { return }
    #expect(try value?.decode(as: Double.self, textReader: reader) == Double(numeral))
  }

  @Test(
    "An integer is the numeral's number or a mismatch, from every source",
    arguments: Source.allCases,
    [
      ("9007199254740993.0", 9_007_199_254_740_993), ("9007199254740992.5", nil), ("1e2", 100), ("1.5", nil),
      ("1.2345678901234567e18", 1_234_567_890_123_456_700), ("1.2345678901234568e18", nil),
      ("9223372036854775807.0", Int64.max), ("1e19", nil),
      ("9007199254740993.00000000000000000000000001", nil), ("5.00000000000000000000001", nil),
      ("-9223372036854775808", Int64.min), ("1e400", nil), ("9223372036854775808", nil),
    ] as [(String, Int64?)])
  func keepsIntegers(source: Source, _ example: (numeral: String, expected: Int64?)) throws {
    let (numeral, expected) = example
    if numeral == "1e400", source == .list { return }  // is one value with its neighbours
    let (value, reader) = try source.value(numeral)
    guard let expected else {
      #expect(throws: FlagError.self) { try value?.decode(as: Int64.self, textReader: reader) }
      return
    }
    #expect(try value?.decode(as: Int64.self, textReader: reader) == expected)
  }

  @Test("A number beyond every double is an error of the flag that reads it, which says where, and of no other")
  func isolatesHugeNumbers() throws {
    let text = #"{"huge": 1e400, "rows": [{"n": 1}, {"n": -1e999}], "other": 2}"#
    let folder = try TemporaryFolder()
    let file = try JSONFileProvider(contentsOf: folder.file("flags.json", text))
    for snapshot in [file.snapshot(), try PayloadProvider(json: Data(text.utf8)).snapshot()] {
      #expect(snapshot.value(of: "other") == 2)
      #expect(snapshot.value(of: "rows")?["0.n"] == 1)
      #expect(throws: FlagError(.typeMismatch, "expected Double, found number 1e400")) {
        try snapshot.value(of: "huge")?.decode(as: Double.self)
      }
      #expect(throws: FlagError(.typeMismatch, "at [1].n: expected Double, found number -1e999")) {
        try snapshot.value(of: "rows")?.decode(as: [Row].self)
      }
    }
    let store = FileOverrideStore(try folder.file("overrides.json", text))
    try store.write(["other": 3])
    #expect(try store.load()["other"] == 3)
    #expect(try store.load().keys.sorted() == ["huge", "other", "rows"])
  }

  private struct Row: Decodable { var n: Double }

  @Test("A change of the last digit is a change")
  func publishesDigits() throws {
    let payload = try PayloadProvider(json: Data(#"{"n": 1234567890123456.78}"#.utf8))
    let changes = Locked<[ChangedKeys]>([])
    let subscription = payload.subscribe { keys in changes.withLock { $0.append(keys) } }
    try payload.update(json: Data(#"{"n": 1234567890123456.79}"#.utf8))
    try payload.update(json: Data(#"{"n": 1234567890123456.79}"#.utf8))
    #expect(changes.withLock { $0 } == [.some(["n"])])
    subscription.cancel()
  }

  @Test("A write leaves every other byte of the file as it is", arguments: [false, true])
  func leavesOtherBytes(isStore: Bool) throws {
    let text = """
      \u{feff}{ "a":1.10,"price" : 1234567890123456.78 , "huge":1e400,
        "list": [ 1.0,2.50 , 3e0 ],\t"on": true,
        "group": {"x":  0.1000000000000000055, "y": "\\u0041\\/"}
      }

      """
    let folder = try TemporaryFolder()
    let file = try folder.file("flags.json", text)
    if isStore {
      try FileOverrideStore(file).write(["on": false])
    } else {
      try JSONFileProvider(contentsOf: file).write(["on": false])
    }
    #expect(try Data(contentsOf: file) == Data(text.replacing("true", with: "false").utf8))
  }
}
