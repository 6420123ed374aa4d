package import FlagDomain

extension EditableRule {
  /// A comparison of an attribute with values.
  package enum Comparison: String, CaseIterable, Sendable {
    case `is`, isNot, isExactly, isNotExactly
    case isOneOf, isNoneOf
    case contains, doesNotContain, startsWith, doesNotStartWith, endsWith, doesNotEndWith
    case below, atMost, above, atLeast, between, betweenExclusive
    case versionIs, versionIsNot, versionBelow, versionAtMost, versionAbove, versionAtLeast
    case versionSameMajor, versionSameMinor
    case isSet, isNotSet
    case before, after

    /// The values that a comparison takes.
    package enum Input: Hashable, Sendable {
      /// No value.
      case none
      /// A text, a number, or true or false.
      case value
      /// A text.
      case text
      /// Any number of texts, numbers, true and false.
      case list
      /// A number.
      case number
      /// Two numbers.
      case range
      /// A version, as text.
      case version
      /// A time in seconds since 1970-01-01 UTC, as an integer.
      case date
    }
  }
}

extension EditableRule.Comparison {
  /// The operator of the format, and how its operands are arranged.
  private struct Form {
    let title: String
    let operation: String
    let input: Input
    /// The relation of versions.
    var relation: String?
    /// Whether the operation is inside a negation.
    var isNegated = false
    /// The index of the attribute among the operands.
    var position = 0
  }

  /// The comparison in words, which stand between the attribute and the values: "is one of".
  package var title: String { form.title }
  /// The values that it takes.
  package var input: Input { form.input }

  // A table with one row for each comparison; splitting it would not make it shorter.
  private var form: Form {
    switch self {
    case .is: Form(title: "is", operation: "==", input: .value)
    case .isNot: Form(title: "is not", operation: "!=", input: .value)
    case .isExactly: Form(title: "is exactly", operation: "===", input: .value)
    case .isNotExactly: Form(title: "is not exactly", operation: "!==", input: .value)
    case .isOneOf: Form(title: "is one of", operation: "in", input: .list)
    case .isNoneOf: Form(title: "is none of", operation: "in", input: .list, isNegated: true)
    case .contains: Form(title: "contains", operation: "in", input: .value, position: 1)
    case .doesNotContain:
      Form(title: "does not contain", operation: "in", input: .value, isNegated: true, position: 1)
    case .startsWith: Form(title: "starts with", operation: "starts_with", input: .text)
    case .doesNotStartWith:
      Form(title: "does not start with", operation: "starts_with", input: .text, isNegated: true)
    case .endsWith: Form(title: "ends with", operation: "ends_with", input: .text)
    case .doesNotEndWith: Form(title: "does not end with", operation: "ends_with", input: .text, isNegated: true)
    case .below: Form(title: "is below", operation: "<", input: .number)
    case .atMost: Form(title: "is at most", operation: "<=", input: .number)
    case .above: Form(title: "is above", operation: ">", input: .number)
    case .atLeast: Form(title: "is at least", operation: ">=", input: .number)
    case .between: Form(title: "is between", operation: "<=", input: .range, position: 1)
    case .betweenExclusive: Form(title: "is strictly between", operation: "<", input: .range, position: 1)
    case .versionIs: Form(title: "is version", operation: "sem_ver", input: .version, relation: "=")
    case .versionIsNot: Form(title: "is not version", operation: "sem_ver", input: .version, relation: "!=")
    case .versionBelow: Form(title: "is before version", operation: "sem_ver", input: .version, relation: "<")
    case .versionAtMost: Form(title: "is at most version", operation: "sem_ver", input: .version, relation: "<=")
    case .versionAbove: Form(title: "is after version", operation: "sem_ver", input: .version, relation: ">")
    case .versionAtLeast: Form(title: "is at least version", operation: "sem_ver", input: .version, relation: ">=")
    case .versionSameMajor:
      Form(title: "has the major version of", operation: "sem_ver", input: .version, relation: "^")
    case .versionSameMinor:
      Form(title: "has the minor version of", operation: "sem_ver", input: .version, relation: "~")
    case .isSet: Form(title: "is set", operation: "!!", input: .none)
    case .isNotSet: Form(title: "is not set", operation: "!", input: .none)
    case .before: Form(title: "is before", operation: "<", input: .date)
    case .after: Form(title: "is at or after", operation: ">=", input: .date)
    }
  }

  /// Returns whether values are as many and of the kinds that the comparison takes.
  package func accepts(_ operands: [FlagValue]) -> Bool {
    guard operands.allSatisfy({ $0.isScalar && $0 != .null }) else { return false }
    switch (input, operands.count) {
    case (.none, 0), (.value, 1), (.list, _): return true
    case (.text, 1), (.version, 1): return operands[0].text != nil
    case (.number, 1), (.range, 2): return operands.allSatisfy(\.isNumber)
    case (.date, 1): if case .int = operands[0] { return true } else { return false }
    default: return false
    }
  }
}

extension EditableRule.Test {
  /// The name of the attribute that has the time.
  static let time = "$flagd.timestamp"

  /// The operators that have negations of their own, and those.
  private static let negations = ["==": "!=", "===": "!==", "!!": "!"]

  /// Reads a condition; nil if it is no test of one attribute.
  init?(_ node: RuleNode) {
    if let attribute = node.variable {
      self.init(attribute, .isSet)
    } else if let (name, argument) = node.operation {
      var (name, operands, isNegated) = (name, argument.operands, false)
      if name == "!", operands.count == 1, let (inner, argument) = operands[0].operation, inner != "var" {
        operands = argument.operands
        name = Self.negations[inner] ?? inner
        isNegated = name == inner
      }
      let tests = EditableRule.Comparison.of(name).lazy.compactMap { $0.test(operands, isNegated: isNegated) }
      guard let test = tests.first else { return nil }
      self = test
    } else {
      return nil
    }
  }

  /// The condition as a value of JSON.
  var json: FlagValue { comparison.json(attribute, operands) }
}

extension EditableRule.Comparison {
  private static let byOperation = Dictionary(grouping: allCases) { $0.form.operation }

  /// Returns the comparisons that an operator may be.
  fileprivate static func of(_ operation: String) -> [Self] { byOperation[operation] ?? [] }

  /// Returns the test that operands of the comparison's operator are; nil if they are not this comparison.
  fileprivate func test(_ operands: [RuleNode], isNegated: Bool) -> EditableRule.Test? {
    let form = form
    var operands = operands
    // Equality may have its attribute second.
    if input == .value, form.position == 0, operands.first?.variable == nil { operands.reverse() }
    guard isNegated == form.isNegated, operands.indices.contains(form.position),
      let attribute = operands.remove(at: form.position).variable
    else { return nil }
    if let relation = form.relation {
      guard operands.first?.scalar == .string(relation) else { return nil }
      operands.removeFirst()
    }
    if input == .list {
      guard operands.count == 1, let elements = operands[0].elements else { return nil }
      operands = elements
    }
    let values = operands.compactMap(\.scalar)
    guard values.count == operands.count, accepts(values) else { return nil }
    // Dates are comparisons of the time with whole seconds; those of another attribute are numbers like any other.
    let isDate = attribute == EditableRule.Test.time && Self.after.accepts(values)
    if input == .date ? !isDate : isDate && (self == .below || self == .atLeast) { return nil }
    return EditableRule.Test(attribute, self, values)
  }

  fileprivate func json(_ attribute: String, _ operands: [FlagValue]) -> FlagValue {
    let form = form
    var operands = input == .list ? [.array(operands)] : operands
    if let relation = form.relation { operands.insert(.string(relation), at: 0) }
    operands.insert(["var": .string(attribute)], at: min(form.position, operands.count))
    let operation: FlagValue = .object([form.operation: .array(operands)])
    return form.isNegated ? ["!": operation] : operation
  }
}

extension FlagValue {
  fileprivate var isNumber: Bool {
    switch self {
    case .int, .double: true
    case .null, .bool, .string, .array, .object: false
    }
  }
}
