import FlagDomain
import FlagJSON
import TestSupport
import Testing

@Suite("Reading JSON text as one value")
struct JSONReaderTests {
  @Test(
    "Every shape is read",
    arguments: [
      ("null", .null), ("true", true), (" false\r\n\t", false), ("\"\"", ""), ("[]", []), ("{}", [:]),
      ("[[ ] , { }]", [[], [:]]),
      (#"{"a": [1, "b", {"c": null}], "": {}}"#, ["a": [1, "b", ["c": .null]], "": [:]]),
      ("\u{feff}[1]", [1]),
    ] as [(String, FlagValue)])
  func shapes(text: String, value: FlagValue) throws {
    #expect(try FlagValue(reading: text).isIdentical(to: value))
  }

  @Test(
    "An integer numeral is exact up to 128 bits, and then the closest double",
    arguments: [
      ("0", 0), ("-0", 0), ("-12", -12), ("9223372036854775808", .int(9_223_372_036_854_775_808)),
      ("18446744073709551615", .int(18_446_744_073_709_551_615)),
      ("18446744073709551616", .int(18_446_744_073_709_551_616)),
      ("170141183460469231731687303715884105727", .int(.max)), ("-170141183460469231731687303715884105728", .int(.min)),
      ("170141183460469231731687303715884105728", .double(0x1p127)),
      ("-170141183460469231731687303715884105729", .double(-0x1p127)),
    ] as [(String, FlagValue)])
  func integers(text: String, value: FlagValue) throws {
    let read = try FlagValue(reading: text)
    #expect(read == value && read.description == (text == "-0" ? "0" : text))
  }

  @Test(
    "A numeral with a fraction or an exponent is the closest double",
    arguments: [
      ("10.0", 10), ("1e2", 100), ("1E+2", 100), ("-0.0", -0.0), ("-0e5", -0.0), ("0.1", 0.1), ("1e22", 1e22),
      ("1e23", 1e23),
      ("123456789012345678e-3", 123456789012345.678), ("9007199254740993.0", 9007199254740992),
      ("9007199254740993.00000000000000000000000001", 9007199254740994),
      ("2.2250738585072011e-308", Double.leastNormalMagnitude.nextDown),
      ("5e-324", .leastNonzeroMagnitude), ("1e-400", 0), ("-1e-99999999999999999999", -0.0),
      ("0e99999999999999999999", 0),
      ("1.7976931348623157e308", .greatestFiniteMagnitude), ("4.5499615414085075e+17", 454996154140850752),
      ("0.\(String(repeating: "0", count: 5_000))1e5001", 1), ("1\(String(repeating: "0", count: 5_000))e-5000", 1),
    ] as [(String, Double)])
  func doubles(text: String, value: Double) throws {
    guard case .double(let read, _) = try FlagValue(reading: text) else { throw FlagError(.typeMismatch, text) }
    #expect(read.bitPattern == value.bitPattern, "\(text)")
  }

  @Test(
    "A numeral that the shortest text of the closest double does not give back keeps its text",
    arguments: [
      ("0.1", false), ("1.10", false), ("1e2", false), ("-0.0", false), ("123456789012345678e-3", true),
      ("0.30000000000000004", false), ("0.30000000000000001", true), ("9007199254740993.0", true),
      ("9007199254740992.0", false), ("1e22", false), ("1e23", false), ("1e40", false), ("1e-400", true),
      ("5e-324", false), ("4.9e-324", true), ("1.7976931348623157e308", false), ("0e99999999999999999999", false),
      ("0.\(String(repeating: "0", count: 50))1e51", false), ("1\(String(repeating: "0", count: 50))e-50", false),
      ("340282366920938463463374607431768211456", true), ("1.2345678901234567e17", true),
      ("1.2345678901234568e17", false), ("0.9007199254740991", false), ("0.90071992547409905", true),
    ])
  func keepsTexts(text: String, isKept: Bool) throws {
    guard case .double(_, let numeral) = try FlagValue(reading: text) else { throw FlagError(.typeMismatch, text) }
    #expect(numeral?.text == (isKept ? text : nil), "\(text)")
    #expect(try FlagValue(json: FlagValue(reading: text).json()).isIdentical(to: FlagValue(reading: text)))
  }

  @Test("A numeral of any digits is rounded as the standard library rounds it")
  func rounding() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<20_000 {
      let digits = (0..<Int.random(in: 1...25, using: &generator)).map { _ in Int.random(in: 0...9, using: &generator) }
      let exponent = Int.random(in: -40...40, using: &generator)
      let text = "\(Int.random(in: 0...9, using: &generator)).\(digits.map(String.init).joined())e\(exponent)"
      let expected = try #require(Double(text))
      #expect(try FlagValue(reading: text) == .double(expected), "\(text)")
    }
  }

  @Test(
    "A string keeps its code points, written as they are or escaped",
    arguments: [
      (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
      (#""\u0041\u00e9\u20AC\uD834\udd1e""#, "A\u{e9}\u{20ac}\u{1d11e}"),
      (#""a\u0000b""#, "a\u{0}b"), ("\"e\u{301} \u{e9}\"", "e\u{301} \u{e9}"),
      ("\"\u{7f}\u{ffff}\u{10ffff}\"", "\u{7f}\u{ffff}\u{10ffff}"),
      (#""0123456\"89abcde\\""#, "0123456\"89abcde\\"),
      ("\"0123456789\u{e9}0123456789\u{20ac}\"", "0123456789\u{e9}0123456789\u{20ac}"),
    ])
  func strings(text: String, string: String) throws {
    #expect(try FlagValue(reading: text).isIdentical(to: .string(string)))
  }

  @Test("Strings that a text repeats, and almost repeats, are told apart")
  func repeatedStrings() throws {
    let long = String(repeating: "0123456789", count: 6)
    let strings = (0...60).flatMap { length in
      let start = String(long.prefix(length))
      return [start, "\(start)x", "x\(start)"]
    }
    let text = strings + strings + strings.reversed()
    let json = "[" + text.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    #expect(try FlagValue(reading: json) == .array(text.map(FlagValue.string)))
  }

  @Test("Nothing is read beyond what is lent, however short it is", arguments: 0...20)
  func shortTexts(count: Int) throws {
    let string = String(repeating: "a", count: count)
    #expect(try FlagValue(reading: "\"\(string)\"") == .string(string))
    #expect(throws: JSONError.self) { try FlagValue(reading: "\"\(string)") }
  }

  @Test("A value has as many levels as it may, and no more, on a small stack", arguments: ["[", #"{"a":"#, #"[{"a":"#])
  func nesting(opening: String) async throws {
    let levels = opening.count { "[{".contains($0) }
    let closing = String(opening.compactMap { ["[": "]", "{": "}"][$0] as Character? }.reversed())
    func nested(_ count: Int) -> String {
      String(repeating: opening, count: count / levels) + "1" + String(repeating: closing, count: count / levels)
    }
    let texts = [nested(JSONReader.maximumDepth), nested(JSONReader.maximumDepth + levels), nested(100_000)]
    let messages = try await SmallStack.run {
      texts.map { text in JSONError.thrown(reading: text)?.description }
    }
    let tooDeep = "expected at most 256 levels of arrays and objects, found more"
    #expect(messages == [nil, tooDeep, tooDeep])
    let open = try await SmallStack.run {
      JSONError.thrown(reading: String(repeating: opening, count: 100_000))
    }
    #expect(open?.code == .syntax)
  }

  @Test("One text is read on many threads at once")
  func threads() async {
    let text = Array(
      #"{"a": ["one string of more than fifteen bytes", "one string of more than fifteen bytes", 1.5e300]}"#.utf8)
    let values = await withTaskGroup { group in
      for _ in 0..<100 { group.addTask { try? FlagValue(json: text) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let string = FlagValue.string("one string of more than fifteen bytes")
    #expect(values == Array(repeating: ["a": [string, string, 1.5e300]], count: 100))
  }

  @Test("Reading takes time in proportion to the text, whatever is in it", arguments: Growth.all)
  func growth(growth: Growth) throws {
    // A tenfold text may take thirtyfold the time; what grows with the square would take a hundredfold.
    let (small, large) = (growth.text(20_000), growth.text(200_000))
    let ratio = processorTimeRatio(below: 30) {
      _ = JSONError.thrown(reading: large)
    } to: {
      _ = JSONError.thrown(reading: small)
    }
    #expect(ratio < 30)
  }
}

/// A kind of text that can be of any size.
struct Growth: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let text: @Sendable (Int) -> String

  static let all = [
    Growth("one long string") { "\"\(String(repeating: "a", count: $0))\"" },
    Growth("one string of escapes") { "\"\(String(repeating: #"\u00e9\n"#, count: $0 / 8))\"" },
    Growth("one long numeral") { String(repeating: "7", count: $0) },
    Growth("one long fraction") { "0.\(String(repeating: "7", count: $0))" },
    Growth("many members of one name") { "{\(repeatElement(#""":0"#, count: $0 / 5).joined(separator: ","))}" },
    Growth("many members") { "{\((0..<$0 / 10).map { "\"\($0)\":0" }.joined(separator: ","))}" },
    Growth("many duplicates, deep inside") { size in
      String(repeating: #"{"a":"#, count: 200) + "["
        + repeatElement(#"{"a":1,"a":1}"#, count: size / 14).joined(separator: ",")
        + "]" + String(repeating: "}", count: 200)
    },
    Growth("open arrays") { String(repeating: "[", count: $0) },
    Growth("white space") { String(repeating: " \n", count: $0 / 2) },
    Growth("half surrogate pairs") { "[\(repeatElement(#""\ud800""#, count: $0 / 10).joined(separator: ","))]" },
  ]

  init(_ description: String, _ text: @escaping @Sendable (Int) -> String) {
    testDescription = description
    self.text = text
  }
}
