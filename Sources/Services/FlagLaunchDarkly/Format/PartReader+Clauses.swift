import FlagDefinitions
import FlagDomain
import FlagJSON
import FlagPatterns

extension PartReader {
  mutating func clauses(of members: Members) throws(Problem) -> [Clause] {
    try objects("clauses", of: members) { reader, members throws(Problem) in
      let kind = try reader.text("contextKind", of: members)
      return Clause(
        kind: ContextKind(kind),
        attribute: reader.reference(try reader.text("attribute", of: members) ?? "", kind: kind),
        isNegated: try reader.bool("negate", of: members), test: try reader.test(of: members))
    }
  }

  private mutating func test(of members: Members) throws(Problem) -> ClauseTest {
    let name = try text("op", of: members) ?? ""
    let values = try array("values", of: members)
    switch name {
    case "in": return .isOneOf(ValueSet(values))
    case "startsWith": return .startsWith(values.texts)
    case "endsWith": return .endsWith(values.texts)
    case "contains": return .contains(values.texts)
    case "matches": return try patterns(of: values)
    case "lessThan": return .number(.less, values.compactMap(\.number))
    case "lessThanOrEqual": return .number(.lessOrEqual, values.compactMap(\.number))
    case "greaterThan": return .number(.greater, values.compactMap(\.number))
    case "greaterThanOrEqual": return .number(.greaterOrEqual, values.compactMap(\.number))
    case "before": return .date(.less, values.compactMap(\.milliseconds))
    case "after": return .date(.greater, values.compactMap(\.milliseconds))
    case "semVerEqual": return .version(.equal, values.texts.compactMap(KnownVersion.init))
    case "semVerLessThan": return .version(.less, values.texts.compactMap(KnownVersion.init))
    case "semVerGreaterThan": return .version(.greater, values.texts.compactMap(KnownVersion.init))
    case "segmentMatch": return .isInSegment(values.texts.map { segments.names.insert($0) })
    default:
      warn("expected an operator, found \(name.quoted), with which no context matches")
      return .never
    }
  }

  /// Compiles patterns; one that is no pattern matches nothing, as for every SDK of the vendor.
  private mutating func patterns(of values: [FlagValue]) throws(Problem) -> ClauseTest {
    var patterns: [Pattern] = []
    for text in values.texts {
      do throws(PatternError) {
        patterns.append(try Pattern(text))
      } catch {
        warn("expected a regular expression, found \(text.quoted): \(error)")
        if error.code != .syntax { return .unusable("the regular expression \(text.quoted) is not used: \(error)") }
      }
    }
    return .matches(patterns)
  }
}

extension [FlagValue] {
  /// The elements that are strings.
  var texts: [String] { compactMap { if case .string(let text) = $0 { text } else { nil } } }
}
