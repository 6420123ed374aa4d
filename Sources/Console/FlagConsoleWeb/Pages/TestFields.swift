import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagEditing

/// A test of a rule as the fields of a form have it: as text, and possibly not a test at all.
struct TestFields {
  /// The type that a value has in the rule.
  enum Kind: String, CaseIterable {
    case text, number
    case truth = "true or false"
  }

  var attribute: String
  var comparison: EditableRule.Comparison
  /// The value, the lower of two, or a value a line.
  var operand: String
  /// The upper of two values.
  var until: String
  var kind: Kind

  /// Creates the fields that show a test.
  init(_ test: EditableRule.Test) {
    let texts = test.operands.map { Self.text(of: $0, test.comparison.input) }
    attribute = AttributeName.shown(test.attribute)
    comparison = test.comparison
    operand = test.comparison.input == .list ? texts.joined(separator: "\n") : texts.first ?? ""
    until = texts.count > 1 && test.comparison.input == .range ? texts[1] : ""
    kind = Self.kind(of: test)
  }

  private static func kind(of test: EditableRule.Test) -> Kind {
    let isList = test.comparison.input == .list
    let kinds = test.operands.map { operand -> Kind in
      switch operand {
      case .int, .double: .number
      case .bool: .truth
      default: .text
      }
    }
    let kind = kinds.first ?? .text
    // A list of several types keeps those of its elements.
    return isList && (kind != .number || kinds.contains { $0 != .number }) ? .text : kind
  }

  /// Returns a value as one line of text.
  private static func text(of value: FlagValue, _ input: EditableRule.Comparison.Input) -> String {
    switch value {
    case .string(let text): text.singleLine
    case .int(let seconds) where input == .date: InstantText.text(of: seconds) ?? value.description
    default: value.description.singleLine
    }
  }

  /// Whether the type of the value is to be seen: it is no text, or text that reads as another type.
  var showsKind: Bool {
    let words = comparison.input == .list ? operand.linesOfText : [operand]
    return kind != .text || !words.isEmpty && words.allSatisfy { Self.isNumber($0) || ["true", "false"].contains($0) }
  }

  /// The types that the value can have.
  var kinds: [Kind] { comparison.input == .list ? [.text, .number] : Kind.allCases }

  private static func isNumber(_ text: String) -> Bool {
    do throws(FlagError) {
      _ = try number(text)
      return true
    } catch {
      return false
    }
  }

  /// Reads a number that a person entered.
  fileprivate static func number(_ text: String) throws(FlagError) -> FlagValue {
    try FlagControl.number(isWhole: false, range: nil, step: nil).value(of: text)
  }

  // MARK: - From a form

  /// The fields of a test, by the ends of their names.
  enum Part: String {
    case attribute, comparison, operand, until, kind

    func name(_ id: String) -> String { "\(rawValue)-\(id)" }
  }

  /// Takes what a form has in the fields of a test.
  mutating func take(_ id: String, from form: ConsoleForm) {
    func sent(_ part: Part) -> String? { form[part.name(id)]?.withoutReturns }
    let shown = self
    attribute = sent(.attribute) ?? attribute
    comparison = sent(.comparison).flatMap(EditableRule.Comparison.init) ?? comparison
    operand = sent(.operand) ?? operand
    until = sent(.until) ?? until
    kind = sent(.kind).flatMap(Kind.init) ?? kind
    // Dates are compared with the time, unless another attribute was chosen with the comparison.
    if comparison.input == .date, shown.comparison.input != .date, attribute.isIdentical(to: shown.attribute) {
      attribute = AttributeName.shown(AttributeName.time)
    }
  }

  /// Returns whether both have the same text in all fields.
  func matches(_ other: TestFields) -> Bool {
    comparison == other.comparison && kind == other.kind && attribute.isIdentical(to: other.attribute)
      && operand.isIdentical(to: other.operand) && until.isIdentical(to: other.until)
  }

  /// Returns the test that the fields describe; what was not edited stays as it was.
  ///
  /// - Throws: The problem and the field that it belongs to.
  func test(editing old: EditableRule.Test) throws(Problem) -> EditableRule.Test {
    let shown = TestFields(old)
    let name = attribute.isIdentical(to: shown.attribute) ? old.attribute : AttributeName.read(attribute)
    guard !name.isEmpty else {
      throw Problem(part: .attribute, text: "expected the name of an attribute, such as countryCode, found nothing")
    }
    return EditableRule.Test(name, comparison, try operands(old, shown))
  }

  struct Problem: Error {
    let part: Part
    let text: String
  }

  private func operands(_ old: EditableRule.Test, _ shown: TestFields) throws(Problem) -> [FlagValue] {
    let isSameInput = comparison.input == shown.comparison.input && kind == shown.kind
    if isSameInput, operand.isIdentical(to: shown.operand), until.isIdentical(to: shown.until) { return old.operands }
    switch comparison.input {
    case .none: return []
    case .text: return [.string(operand.linesOfText.first ?? operand)]
    case .value: return [try value(operand.linesOfText.first ?? operand)]
    case .list: return try elements(keeping: isSameInput ? old.operands : [])
    case .number: return [try Self.read(operand, .operand, Self.number)]
    case .range: return [try Self.read(operand, .operand, Self.number), try Self.read(until, .until, Self.number)]
    case .version: return [try Self.read(operand, .operand, Self.version)]
    case .date: return [try Self.read(operand, .operand, InstantText.value)]
    }
  }

  private func value(_ text: String) throws(Problem) -> FlagValue {
    switch kind {
    case .text: .string(text)
    case .number: try Self.read(text, .operand, Self.number)
    case .truth: .bool(text != "false")
    }
  }

  /// Returns the elements of a list: a line that was there keeps its element.
  private func elements(keeping old: [FlagValue]) throws(Problem) -> [FlagValue] {
    // By code units, in which equal characters may differ.
    var kept = Dictionary(grouping: old) { Array(Self.text(of: $0, .list).utf8) }.mapValues { $0[...] }
    var elements: [FlagValue] = []
    for line in operand.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if let element = kept[Array(line.utf8)]?.popFirst() {
        elements.append(element)
      } else if !line.trimmed.isEmpty {
        elements.append(kind == .number ? try Self.read(line, .operand, Self.number) : .string(line.trimmed))
      }
    }
    return elements
  }

  private static func read(
    _ text: String, _ part: Part, _ value: (String) throws(FlagError) -> FlagValue
  ) throws(Problem) -> FlagValue {
    do throws(FlagError) {
      return try value(text.linesOfText.first ?? "")
    } catch {
      throw Problem(part: part, text: error.message)
    }
  }

  private static func version(_ text: String) throws(FlagError) -> FlagValue {
    guard SemanticVersion(text, isLenient: true) != nil else {
      throw FlagError(.general, "expected a version such as 2.1.0, found “\(text.shortened())”")
    }
    return .string(text)
  }
}

/// The names of attributes as fields show them.
enum AttributeName {
  /// The attribute that has the time.
  static let time = "$flagd.timestamp"
  private static let words = ["targetingKey": "user id", time: "the time"]

  /// Returns a name as a field shows it.
  static func shown(_ name: String) -> String { words[name] ?? name.singleLine }

  /// Returns the name that a person entered.
  static func read(_ text: String) -> String {
    let text = text.trimmed
    return words.first { $0.value.isIdentical(to: text) }?.key ?? text
  }
}
