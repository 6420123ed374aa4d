/// The operators of rules, with their names and results.
package enum Operator: String, CaseIterable, Sendable {
  case variable = "var", missing, missingSome = "missing_some"
  case condition = "if", and, or, not = "!", truth = "!!"
  case equal = "==", identical = "===", notEqual = "!=", notIdentical = "!=="
  case less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
  case plus = "+", minus = "-", times = "*", divide = "/", remainder = "%", min, max
  case concatenate = "cat", substring = "substr", `in`, merge
  case map, filter, all, none, some, reduce
  case log
  case startsWith = "starts_with", endsWith = "ends_with", version = "sem_ver", fractional

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

  package var result: Result {
    switch self {
    case .not, .truth, .equal, .identical, .notEqual, .notIdentical, .less, .lessOrEqual, .greater, .greaterOrEqual,
      .in, .all, .none, .some:
      .boolean
    case .startsWith, .endsWith, .version: .booleanOrNull
    case .condition, .and, .or, .log: .operand
    case .missing, .missingSome, .merge, .map, .filter: .array
    case .variable, .plus, .minus, .times, .divide, .remainder, .min, .max, .concatenate, .substring, .reduce,
      .fractional:
      .value
    }
  }

  /// Whether it is evaluated from the values of all its operands, and nothing else.
  var isPure: Bool {
    switch self {
    case .variable, .missing, .missingSome, .fractional: false  // from the data or the user, too
    case .condition, .and, .or, .map, .filter, .all, .none, .some, .reduce: false  // from some, or one repeatedly
    default: true
    }
  }

  private static let byName: [String: Operator] =
    Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) }).merging(["?:": .condition]) { name, _ in name }

  /// Returns what to use in place of an operator that flagd no longer has; nil for any other name.
  package static func replacement(of name: String) -> String? {
    name == "fractionalEvaluation" ? ": use fractional" : nil
  }

  package init?(_ name: String) {
    guard let known = Self.byName[name], name.utf8.count == (name == "?:" ? 2 : known.rawValue.utf8.count) else {
      return nil
    }
    self = known
  }

  package var name: String { rawValue }
}
