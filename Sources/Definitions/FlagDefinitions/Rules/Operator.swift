/// The operators of rules, with their names, arguments and results.
package enum Operator: UInt8, CaseIterable, Sendable {
  case variable, missing, missingSome
  case condition, and, or, not, truth
  case equal, identical, notEqual, notIdentical
  case less, lessOrEqual, greater, greaterOrEqual
  case plus, minus, times, divide, remainder, min, max
  case concatenate, substring, `in`, merge
  case map, filter, all, none, some, reduce
  case log
  case startsWith, endsWith, version, fractional

  package enum Result: Sendable {
    /// True or false.
    case boolean
    /// True, false or null.
    case booleanOrNull
    /// The result of one of its operands.
    case operand
    /// A value that depends on the data.
    case value
    /// A new array.
    case array
  }

  enum Evaluation: Sendable {
    /// Evaluation from the values of its operands, and nothing else.
    case pure
    /// Evaluation from the values of its operands, and from the data or the user.
    case contextual
    /// Evaluation of only some of its operands, or of one of them repeatedly.
    case selective
  }

  private struct Entry {
    let name: String
    let form: RuleForm?
    let result: Result
    let evaluation: Evaluation

    init(_ name: String, _ form: RuleForm?, _ result: Result, _ evaluation: Evaluation = .pure) {
      self.name = name
      self.form = form
      self.result = result
      self.evaluation = evaluation
    }
  }

  // A table with one row for each operator; splitting it would not make it shorter.
  private var entry: Entry {
    switch self {
    case .variable: Entry("var", .variable, .value, .contextual)
    case .missing: Entry("missing", .names, .array, .contextual)
    case .missingSome: Entry("missing_some", .numberAndNames, .array, .contextual)
    case .condition: Entry("if", .operands(1, nil), .operand, .selective)
    case .and: Entry("and", .operands(1, nil), .operand, .selective)
    case .or: Entry("or", .operands(1, nil), .operand, .selective)
    case .not: Entry("!", .operand, .boolean)
    case .truth: Entry("!!", .operand, .boolean)
    case .equal: Entry("==", .operands(2, 2), .boolean)
    case .identical: Entry("===", .operands(2, 2), .boolean)
    case .notEqual: Entry("!=", .operands(2, 2), .boolean)
    case .notIdentical: Entry("!==", .operands(2, 2), .boolean)
    case .less: Entry("<", .operands(2, 3), .boolean)
    case .lessOrEqual: Entry("<=", .operands(2, 3), .boolean)
    case .greater: Entry(">", .operands(2, 2), .boolean)
    case .greaterOrEqual: Entry(">=", .operands(2, 2), .boolean)
    case .plus: Entry("+", .operands(1, nil), .value)
    case .minus: Entry("-", .operands(1, nil), .value)
    case .times: Entry("*", .operands(2, nil), .value)
    case .divide: Entry("/", .operands(2, 2), .value)
    case .remainder: Entry("%", .operands(2, 2), .value)
    case .min: Entry("min", .operands(1, nil), .value)
    case .max: Entry("max", .operands(1, nil), .value)
    case .concatenate: Entry("cat", .operands(1, nil), .value)
    case .substring: Entry("substr", .operands(2, 3), .value)
    case .in: Entry("in", .operands(2, 2), .boolean)
    case .merge: Entry("merge", .operands(1, nil), .array)
    case .map: Entry("map", .operands(2, 2), .array, .selective)
    case .filter: Entry("filter", .operands(2, 2), .array, .selective)
    case .all: Entry("all", .operands(2, 2), .boolean, .selective)
    case .none: Entry("none", .operands(2, 2), .boolean, .selective)
    case .some: Entry("some", .operands(2, 2), .boolean, .selective)
    case .reduce: Entry("reduce", .operands(3, 3), .value, .selective)
    case .log: Entry("log", nil, .operand)
    case .startsWith: Entry("starts_with", .texts, .booleanOrNull)
    case .endsWith: Entry("ends_with", .texts, .booleanOrNull)
    case .version: Entry("sem_ver", .versions, .booleanOrNull)
    case .fractional: Entry("fractional", .shares, .value, .contextual)
    }
  }

  private static let entries = allCases.map(\.entry)

  private static let byName: [String: Operator] =
    Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) }).merging(["?:": .condition]) { name, _ in name }

  /// Returns what to use in place of an operator that flagd no longer has; nil for any other name.
  package static func replacement(of name: String) -> String? {
    name == "fractionalEvaluation" ? ": use fractional" : nil
  }

  /// The operators of the format's schema, by name.
  package static let known = byName.filter { $0.value.form != nil && $0.value.name == $0.key }

  package init?(_ name: String) {
    guard let known = Self.byName[name], name.utf8.count == (name == "?:" ? 2 : known.name.utf8.count) else {
      return nil
    }
    self = known
  }

  var name: String { Self.entries[Int(rawValue)].name }

  /// The form of its argument in the format's schema; nil if the operator is not in the schema.
  package var form: RuleForm? { Self.entries[Int(rawValue)].form }

  package var result: Result { Self.entries[Int(rawValue)].result }

  var evaluation: Evaluation { Self.entries[Int(rawValue)].evaluation }
}
