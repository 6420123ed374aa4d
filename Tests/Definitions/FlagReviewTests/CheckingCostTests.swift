import FlagDefinitions
import FlagReview
import Foundation
import TestSupport
import Testing

@Suite("What checking costs", .computing)
struct CheckingCostTests {
  @Test("Four times the mistakes take no more than eight times the time, whatever they are", arguments: Mistakes.all)
  func isLinear(mistakes: Mistakes) {
    let (few, many) = (mistakes.document(mistakes.count), mistakes.document(4 * mistakes.count))
    #expect(FlagDocument.diagnostics(in: many).count >= mistakes.diagnostics(4 * mistakes.count))
    let ratio = processorTimeRatio(below: 8) {
      _ = FlagDocument.diagnostics(in: many)
    } to: {
      _ = FlagDocument.diagnostics(in: few)
    }
    #expect(ratio < 8)
  }

  @Test("Loading four times the mistakes takes no more than eight times the time, too", arguments: Mistakes.all)
  func loadsLinearly(mistakes: Mistakes) throws {
    let (few, many) = (mistakes.document(mistakes.count), mistakes.document(4 * mistakes.count))
    #expect(try FlagDocument(parsing: many).diagnostics.count <= 100)
    let ratio = processorTimeRatio(below: 8) {
      _ = Result { try FlagDocument(parsing: many) }
    } to: {
      _ = Result { try FlagDocument(parsing: few) }
    }
    #expect(ratio < 8)
  }

  /// Unoptimized code copied the tables of all that was compiled before for each of these rules.
  @Test(
    "What was compiled before makes no rule cost more",
    arguments: [#"{"in": [{"var": "c"}, ["a", "NUMBER"]]}"#, #"{"fractional": [["on", NUMBER], ["off", 1]]}"#])
  func compilesLinearly(rule: String) {
    func flags(_ names: [String], rule: (String) -> String) -> String {
      names.map {
        """
        "\($0)": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
          "targeting": {"if": [\(rule($0)), "on", null]}}
        """
      }.joined(separator: ",")
    }
    let texts = (0..<20_000).map { #""t\#($0)""# }.joined(separator: ",")
    let large = flags(["large"]) { _ in #"{"cat": [{"var": "x"}, \#(texts)]}"# }
    let many = flags((1...400).map { "\($0)" }) { rule.replacingOccurrences(of: "NUMBER", with: $0) }
    func load(_ flags: String) { _ = Result { try FlagDocument(parsing: Data("{\"flags\": {\(flags)}}".utf8)) } }
    let ratio = processorTimeRatio(below: 1.8) {
      load("\(large),\(many)")
    } to: {
      load(large)
      load(many)
    }
    #expect(ratio < 1.8)
  }

  @Test("A long name is not repeated in each diagnostic")
  func longNames() {
    let key = String(repeating: "k", count: 100_000)
    let variants = (0..<200).map { #""v\#($0)": "text""# }.joined(separator: ",")
    let document = #"{"flags": {"\#(key)": {"state": "ENABLED", "variants": {"a": 1, \#(variants)}}}}"#
    let diagnostics = FlagDocument.diagnostics(in: Data(document.utf8))
    #expect(diagnostics.count >= 200 && diagnostics.allSatisfy { $0.description.utf8.count < 1_000 })
  }
}

/// A document of any number of mistakes of one kind, on one line.
struct Mistakes: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// The count that is small.
  var count = Effort.rounds(150, thorough: 500)
  let text: @Sendable (Int) -> String
  /// Whether each mistake has its own diagnostic, with one exception at most.
  var hasDiagnostics = true

  func document(_ count: Int) -> Data { Data(text(count).utf8) }

  func diagnostics(_ count: Int) -> Int { hasDiagnostics ? count - 1 : 0 }
}

extension Mistakes {
  static let all = [
    Mistakes("flags that are none") { flags($0) { _ in "1" } },
    Mistakes("variants of another type") { count in
      flag(variants: #""a":1,"# + list(count) { #""v\#($0)":"x""# })
    },
    Mistakes("variants of another type, under a key that is long, too") { count in
      flag(variants: #""a":1,"# + list(count) { #""v\#($0)":"x""# }, key: longName(count))
    },
    Mistakes("metadata that is null, under a key that is long, too") { count in
      flag(metadata: list(count) { #""m\#($0)":null"# }, key: longName(count))
    },
    Mistakes("operators that there are not, under a key that is long, too") { count in
      flag(#"{"and":[\#(list(count) { _ in #"{"x":1}"# })]}"#, key: longName(count))
    },
    Mistakes("members that are there already, deep inside, under long names") { count in
      let names = (0..<100).map { _ in #"{"\#(String(repeating: "n", count: 100))":"# }.joined()
      return flag(
        variants: #""on":\#(names){\#(list(count) { _ in #""a":1"# })}\#(String(repeating: "}", count: 100))"#)
    },
    Mistakes("sections that are there already, after mistakes elsewhere") { count in
      #"{\#(list(count) { _ in #""\ud800":1"# }),\#(list(count) { _ in #""metadata":1"# }),"flags":{}}"#
    },
    Mistakes("metadata that is null") { count in
      flag(metadata: list(count) { #""m\#($0)":null"# })
    },
    Mistakes("shares with bad weights") { count in flag(#"{"fractional":[\#(list(count) { _ in #"["on",-1]"# })]}"#) },
    Mistakes("operators that there are not") { count in flag(#"{"and":[\#(list(count) { _ in #"{"x":1}"# })]}"#) },
    Mistakes("operators near others") { count in flag(#"{"and":[\#(list(count) { _ in #"{"start_with":1}"# })]}"#) },
    Mistakes("operators that there are not, deep inside") { count in
      let rules = list(count) { _ in #"{"x":1}"# }
      return flag(String(repeating: #"{"and":["#, count: 95) + rules + String(repeating: "]}", count: 95))
    },
    Mistakes("results that are no variants") { count in flag(#"{"if":[\#(list(count) { _ in #"{"var":"x"},"no""# })]}"#)
    },
    Mistakes("results that are none of many variants") { count in
      flag(
        #"{"if":[{"var":"x"},\#(list(count) { #""w\#($0)",{"var":"x"}"# }),null]}"#,
        variants: list(count) { #""v\#($0)":1"# })
    },
    Mistakes("defaults of variables") { count in flag(#"{"and":[\#(list(count) { _ in #"{"var":["x",1]}"# })]}"#) },
    Mistakes("members near others") { flags($0) { _ in #"{"targetting":{},"state":"ENABLED","variants":{"a":1}}"# } },
    Mistakes("keys that there are already") { count in
      #"{"flags":{\#(list(count) { _ in #""a":{"state":"ENABLED","variants":{"a":1}}"# })}}"#
    },
    Mistakes("flags that split alike") { count in
      flags(count) { _ in
        #"{"state":"ENABLED","variants":{"a":1},"targeting":{"fractional":[{"var":"x"},["a",1],["a",1]]}}"#
      }
    },
    Mistakes("flags that use one wrong rule of many results", hasDiagnostics: false) { count in
      flags(count) { _ in #"{"state":"ENABLED","variants":{"a":1},"targeting":{"if":[{"var":"x"},{"$ref":"e"}]}}"# }
        .replacing(
          #"{"flags""#, with: #"{"$evaluators":{"e":{"if":[\#(list(count) { #"{"var":"x"},"\#($0)""# })]}},"flags""#)
    },
    Mistakes("shared rules that refer on and on", hasDiagnostics: false) { count in
      #"{"flags":{},"$evaluators":{\#(list(count) { #""e\#($0)":{"!":{"$ref":"e\#($0 + 1)"}}"# }),"e\#(count)":{"!":1}}}"#
    },
    Mistakes("shared rules in one circle") { count in
      #"{"flags":{},"$evaluators":{\#(list(count) { #""e\#($0)":{"!":{"$ref":"e\#(($0 + 1) % count)"}}"# })}}"#
    },
  ]

  private init(_ description: String, hasDiagnostics: Bool = true, text: @escaping @Sendable (Int) -> String) {
    self.init(testDescription: description, text: text, hasDiagnostics: hasDiagnostics)
  }

  private static func list(_ count: Int, _ element: (Int) -> String) -> String {
    (0..<count).map(element).joined(separator: ",")
  }

  private static func flags(_ count: Int, _ flag: (Int) -> String) -> String {
    #"{"flags":{\#(list(count) { #""f\#($0)":\#(flag($0))"# })}}"#
  }

  private static func longName(_ count: Int) -> String { String(repeating: "k", count: 20 * count) }

  private static func flag(
    _ rule: String = "{}", variants: String = #""on":true"#, metadata: String = "", key: String = "f"
  ) -> String {
    #"{"flags":{"\#(key)":{"state":"ENABLED","variants":{\#(variants)},"targeting":\#(rule),"metadata":{\#(metadata)}}}}"#
  }
}
