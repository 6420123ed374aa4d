import FlagDefinitions
package import FlagDomain
package import FlagJSON

package struct RuleResults {
  /// The constant results in the rule, and the booleans that its operators give.
  package private(set) var results: [Result] = []
  /// The shared rules whose results can be the rule's.
  package private(set) var references: [Reference] = []
  /// Whether it can also give values from the data, or computed ones.
  package private(set) var isOpen = false

  package struct Result {
    package let values: [FlagValue]
    package let path: DocumentPath
    /// Whether the path leads to the value; otherwise, to the operands of an operator that gives it.
    package let isConstant: Bool
  }

  /// A shared rule whose results, or some of them, can be the rule's.
  package struct Reference {
    package let name: String
    package let path: DocumentPath
    package let filter: Filter
  }

  /// The values of a part that can be the whole rule's result: `and` and `or` continue after the others.
  package enum Filter {
    case all, truthy, falsy
  }

  /// Collects the results of a rule; it is open if its operators nest deeper than the limit.
  package init(of rule: FlagValue, at path: DocumentPath) {
    collect(rule, at: path, .all, level: 0)
  }
}

extension RuleResults.Filter {
  package func includes(_ value: FlagValue) -> Bool {
    switch self {
    case .all: true
    case .truthy: Optional(value).isTruthy
    case .falsy: !Optional(value).isTruthy
    }
  }

  /// Returns the intersection of both; nil if it is empty.
  fileprivate func and(_ other: Self) -> Self? {
    switch (self, other) {
    case (.all, _): other
    case (_, .all): self
    default: self == other ? self : nil
    }
  }
}

extension RuleResults {
  private mutating func collect(_ rule: FlagValue, at path: DocumentPath, _ filter: Filter?, level: Int) {
    guard let filter else { return }
    switch rule {
    case .null: break
    case .bool, .int, .double, .string, .array:
      if filter.includes(rule) { results.append(Result(values: [rule], path: path, isConstant: true)) }
    case .object(let fields):
      guard fields.count == 1, let (name, argument) = fields.first, level < RuleLimits.levels else {
        isOpen = true
        return
      }
      collect(name, Operands(argument, at: path.appending(name)), filter, level: level + 1)
    }
  }

  private mutating func collect(_ name: String, _ operands: Operands, _ filter: Filter, level: Int) {
    if name == "$ref" { return collectReference(operands, filter) }
    switch Operator(name) {
    case .condition: collectCondition(operands, filter, level: level)
    case .and: collectAll(operands, until: .falsy, filter, level: level)
    case .or: collectAll(operands, until: .truthy, filter, level: level)
    case .fractional: collectShares(operands, filter, level: level)
    case .log: if let operand = operands.first { collect(operand.value, at: operand.path, filter, level: level) }
    case let name?:
      switch name.result {
      case .boolean, .booleanOrNull:
        results.append(
          Result(values: [true, false].filter(filter.includes), path: operands.path, isConstant: false))
      case .operand, .value, .array: isOpen = true
      }
    case nil: isOpen = true
    }
  }

  private mutating func collectReference(_ operands: Operands, _ filter: Filter) {
    if case .string(let name)? = operands.first?.value {
      references.append(Reference(name: name, path: operands.path, filter: filter))
    }
  }

  /// Collects every second operand, and the last one if it has no condition.
  ///
  /// It skips the operand after a condition that is always false, and all that follow a condition that is always true.
  private mutating func collectCondition(_ operands: Operands, _ filter: Filter, level: Int) {
    for index in stride(from: 0, to: operands.count, by: 2) {
      let isLast = index + 1 == operands.count
      let operand = operands[isLast ? index : index + 1]
      let condition = isLast ? true : operands[index].value.constantTruth
      if condition != false { collect(operand.value, at: operand.path, filter, level: level) }
      if condition == true { return }
    }
  }

  /// Collects all operands: all values of the last one, and those of the others that end the operator.
  private mutating func collectAll(_ operands: Operands, until end: Filter, _ filter: Filter, level: Int) {
    for index in 0..<operands.count {
      let filter = index + 1 == operands.count ? filter : filter.and(end)
      collect(operands[index].value, at: operands[index].path, filter, level: level)
    }
  }

  private mutating func collectShares(_ operands: Operands, _ filter: Filter, level: Int) {
    for index in 0..<operands.count {
      if case .array(let parts) = operands[index].value {
        guard let result = parts.first else { continue }
        collect(result, at: operands[index].path.appending(0), filter, level: level)
      } else if index > 0 {
        isOpen = true
      }
    }
  }
}

private struct Operands {
  let path: DocumentPath
  private let values: [FlagValue]
  private let isArray: Bool

  init(_ argument: FlagValue, at path: DocumentPath) {
    self.path = path
    if case .array(let elements) = argument {
      (values, isArray) = (elements, true)
    } else {
      (values, isArray) = ([argument], false)
    }
  }

  var count: Int { values.count }

  var first: (value: FlagValue, path: DocumentPath)? { values.isEmpty ? nil : self[0] }

  subscript(index: Int) -> (value: FlagValue, path: DocumentPath) {
    (values[index], isArray ? path.appending(index) : path)
  }
}

extension FlagValue {
  /// Whether a constant condition holds; nil if it is a rule, or may be one.
  fileprivate var constantTruth: Bool? {
    switch self {
    case .array, .object: nil
    default: Optional(self).isTruthy
    }
  }
}
