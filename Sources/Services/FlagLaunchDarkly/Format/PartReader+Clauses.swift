import FlagDefinitions
import FlagDomain
import FlagJSON
import FlagPatterns

extension PartReader {
  mutating func clauses(of members: Members) throws(Problem) -> [Clause] {
    try objects("clauses", of: members) { reader, members throws(Problem) in
      let kind = try reader.name("contextKind", of: members)
      let isNegated = try reader.bool("negate", of: members)
      let clause = Clause(
        kind: ContextKind(kind),
        attribute: reader.reference(try reader.text("attribute", of: members) ?? "", kind: kind),
        isNegated: isNegated, test: try reader.test(of: members, isNegated: isNegated))
      if case (.failure(let error), false) = (clause.attribute, clause.test.isAboutSegments) {
        reader.warn(error.message, at: members["attribute"] == nil ? [] : [.member("attribute")])
      }
      return clause
    }
  }

  private mutating func test(of members: Members, isNegated: Bool) throws(Problem) -> ClauseTest {
    let name = try text("op", of: members) ?? ""
    var values = Values(list: try array("values", of: members), isNegated: isNegated)
    let test: ClauseTest
    switch name {
    case "in": test = .isOneOf(ValueSet(values.list))
    case "startsWith": test = .startsWith(values.texts)
    case "endsWith": test = .endsWith(values.texts)
    case "contains": test = .contains(values.texts)
    case "matches": test = try patterns(of: &values)
    case "lessThan": test = .number(.less, values.numbers)
    case "lessThanOrEqual": test = .number(.lessOrEqual, values.numbers)
    case "greaterThan": test = .number(.greater, values.numbers)
    case "greaterThanOrEqual": test = .number(.greaterOrEqual, values.numbers)
    case "before": test = .date(.less, values.times)
    case "after": test = .date(.greater, values.times)
    case "semVerEqual": test = .version(.equal, values.versions)
    case "semVerLessThan": test = .version(.less, values.versions)
    case "semVerGreaterThan": test = .version(.greater, values.versions)
    case "segmentMatch": test = .isInSegment(values.texts.map { segments.names.insert($0) })
    default:
      try note("expected an operator, found \(name.quoted)", at: [.member("op")], isNegated: isNegated)
      return .never
    }
    for mistake in values.mistakes {
      try note(mistake.message, at: [.member("values"), .element(mistake.index)], isNegated: isNegated)
    }
    return test
  }

  /// Warns of a part that matches no context, as for every SDK of the vendor; in a clause that is negated, everyone
  /// would match, and so it is an error.
  private mutating func note(_ message: String, at place: [DocumentPath.Step], isNegated: Bool) throws(Problem) {
    if isNegated { throw problem(message, at: place) }
    warn("\(message), with which no context matches", at: place)
  }

  /// Compiles patterns; one that is no pattern matches nothing.
  private mutating func patterns(of values: inout Values) throws(Problem) -> ClauseTest {
    var patterns: [Pattern] = []
    for text in values.texts {
      do throws(PatternError) {
        patterns.append(try Pattern(text))
      } catch {
        let message = "expected a regular expression, found \(text.quoted): \(error)"
        if error.code == .syntax {
          try note(message, at: [], isNegated: values.isNegated)
        } else {
          report(message, .error)
          return .unusable("the regular expression \(text.quoted) is not used: \(error)")
        }
      }
    }
    return .matches(patterns)
  }
}

/// The values of a clause, as its operator reads them.
private struct Values {
  let list: [FlagValue]
  let isNegated: Bool
  /// The values that the operator compares nothing with.
  private(set) var mistakes: [(index: Int, message: String)] = []

  init(list: [FlagValue], isNegated: Bool) { (self.list, self.isNegated) = (list, isNegated) }

  var texts: [String] {
    mutating get { read("a string that is not empty") { $0.text.flatMap { $0.isEmpty ? nil : $0 } } }
  }
  var numbers: [Double] { mutating get { read("a number", \.number) } }
  var times: [Double] { mutating get { read("a date", \.milliseconds) } }
  var versions: [KnownVersion] { mutating get { read("a version") { $0.text.flatMap(KnownVersion.init) } } }

  private mutating func read<Value>(_ expected: String, _ convert: (FlagValue) -> Value?) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(list.count)
    for (index, value) in list.enumerated() {
      if let value = convert(value) {
        values.append(value)
      } else {
        mistakes.append((index, "expected \(expected), found \(value.summary)"))
      }
    }
    return values
  }
}

extension ClauseTest {
  fileprivate var isAboutSegments: Bool { if case .isInSegment = self { true } else { false } }
}
