import FlagDomain
import FlagDefinitions
import Testing

@Suite("Explanations")
struct FlagExplanationTests {
  @Test("The steps are the parts that were evaluated, with their values, bucket and order")
  func steps() throws {
    let document = try FlagDocument(
      rule:
        #"{"if": [{"in": [{"var": "country"}, ["es", "pt"]]}, {"fractional": [{"var": "id"}, ["on", 1], ["off", 99]]}, {"nonsense": 1}]}"#
    )
    let explanation = document.explain("flag", in: EvaluationContext(attributes: ["country": "es", "id": "u"]), at: 0)
    let steps = explanation.steps.flatMap { outline($0) }
    #expect(
      steps == [
        #"if "off""#, #"  in true"#, #"    var "es""#, #"  fractional "off" 31 of 100"#, #"    var "u""#,
      ])
    #expect(explanation.answer?.variant == "off")
  }

  @Test("A step that an error cut short has no value")
  func errors() throws {
    let document = try FlagDocument(rule: #"{"and": [{"var": "x"}, {"nonsense": 1}]}"#)
    let explanation = document.explain("flag", in: EvaluationContext(attributes: ["x": 1]), at: 0)
    #expect(explanation.steps.flatMap { outline($0) } == ["and", "  var 1", "  broken"])
    #expect(explanation.error == FlagError(.parseError, #"expected an operator, found "nonsense""#))
  }

  @Test("Parts that never change are worked out when the document is read")
  func folding() throws {
    let rule =
      #"{"if": [{"sem_ver": ["1.2.0", ">", "1.0.0"]}, {"if": [{"var": "x"}, {"cat": ["o", "n"]}, {"$ref": "e"}]}, "off"]}"#
    let document = try FlagDocument(rule: rule, evaluators: #"{"e": {"cat": ["of", {"var": "f"}]}}"#)
    let explanation = document.explain("flag", in: EvaluationContext(), at: 0)
    #expect(explanation.steps.first?.rule == ["if": [["var": "x"], "on", ["cat": ["of", ["var": "f"]]]]])
  }

  private func outline(_ step: FlagExplanation.Step, indent: String = "") -> [String] {
    let name: String? = if case .object(let fields) = step.rule { fields.keys.first } else { nil }
    let bucket = step.bucket.map { " \($0.number) of \($0.count)" } ?? ""
    let value = step.value.map { " \($0)" } ?? ""
    return ["\(indent)\(name ?? "list")\(value)\(bucket)"] + step.parts.flatMap { outline($0, indent: indent + "  ") }
  }
}
