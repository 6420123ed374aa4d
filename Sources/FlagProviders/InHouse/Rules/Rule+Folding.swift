import FlagDomain

extension Rule {
  /// The rule, or its result where it gives the same whatever the context is.
  var folded: Rule {
    switch self {
    case .unary(_, .constant), .between(_, .constant, .constant, .constant): result
    case .binary(let operation) where operation.isConstant: result
    case .variadic(let name, let operands) where name.isFoldable && operands.allSatisfy({ $0.constantValue != nil }):
      result
    case .version(let test) where test.isConstant: result
    case .condition(let parts): Self.condition(parts).pruned
    default: self
    }
  }

  /// The result, where there is one, and it compares as equal to itself.
  private var result: Rule {
    var evaluation = Evaluation(
      of: "", in: EvaluationContext(), at: 0, bucketing: .v3)
    do {
      let value = try evaluation.value(of: self, in: .context)
      return value.flatMap { $0.isScalar && $0 == $0 ? .constant($0) : nil } ?? self
    } catch {
      // What cannot be evaluated is an error where it is reached, not here.
      return self
    }
  }

  /// The condition without the branches that are never taken.
  private var pruned: Rule {
    guard case .condition(var parts) = self else { return self }
    while let test = parts.first?.constantValue, parts.count > 1 {
      if Optional(test).isTruthy { return parts[1] }
      parts.removeFirst(2)
    }
    return parts.isEmpty ? .constant(.null) : parts.count == 1 ? parts[0] : .condition(parts)
  }
}

extension VariadicOperator {
  /// Whether the operator looks at nothing but its operands.
  fileprivate var isFoldable: Bool { self != .missing && self != .missingSome }
}

extension VersionTest {
  fileprivate var isConstant: Bool {
    if case (.version, .version) = (left, right) { true } else { false }
  }
}

extension FlagValue {
  fileprivate var isScalar: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }
}
