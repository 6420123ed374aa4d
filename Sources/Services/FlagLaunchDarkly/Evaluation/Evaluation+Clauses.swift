import FlagDefinitions
import FlagDomain
import FlagPatterns

extension Evaluation {
  /// Returns whether all clauses of a rule hold.
  mutating func matches(_ clauses: [Clause]) throws(Failure) -> Bool {
    try step()
    for clause in clauses where try !matches(clause) { return false }
    return true
  }

  private mutating func matches(_ clause: Clause) throws(Failure) -> Bool {
    try step()
    if case .isInSegment(let segments) = clause.test {
      for segment in segments where try isInSegment(segment) { return !clause.isNegated }
      return clause.isNegated
    }
    let attribute: AttributeReference
    switch clause.attribute {
    case .success(let reference): attribute = reference
    case .failure(let error):
      // A clause about a context that is not there does not hold, whatever its attribute.
      guard context.key(of: clause.kind) != nil else { return false }
      throw .malformed(error.message)
    }
    if attribute.isKind {
      for kind in context.kinds where try holds(clause.test, for: .string(kind)) { return !clause.isNegated }
      return clause.isNegated
    }
    // A clause about an attribute that is not there does not hold, negated or not.
    switch context.value(of: attribute, in: clause.kind) {
    case nil: return false
    case .array(let elements)?:
      for element in elements {
        try step()
        if try holds(clause.test, for: element) { return !clause.isNegated }
      }
      return clause.isNegated
    case let value?: return try holds(clause.test, for: value) != clause.isNegated
    }
  }

  /// Returns whether a value compares with one of a clause's as the test says.
  private mutating func holds(_ test: ClauseTest, for value: FlagValue) throws(Failure) -> Bool {
    switch test {
    case .isOneOf(let values):
      if !values.others.isEmpty { try charge(values.others.count * 64) }
      return values.contains(value)
    case .startsWith, .endsWith, .contains, .matches, .version:
      guard case .string(let text) = value else { return false }
      return try holds(test, forText: text)
    case .number(let relation, let others):
      guard let number = value.number else { return false }
      return try holds(relation, number, others)
    case .date(let relation, let others):
      if case .string(let text) = value { try charge(text.utf8.count) }
      guard let time = value.milliseconds else { return false }
      return try holds(relation, time, others)
    case .unusable(let message): throw .malformed(message)
    case .never, .isInSegment: return false
    }
  }

  private mutating func holds(
    _ relation: ClauseTest.Relation, _ number: Double, _ others: [Double]
  ) throws(Failure) -> Bool {
    for other in others {
      try step()
      if relation.holds(number, other) { return true }
    }
    return false
  }

  private mutating func holds(_ test: ClauseTest, forText text: String) throws(Failure) -> Bool {
    switch test {
    case .startsWith(let parts): return try any(parts, in: text) { $0.utf8.starts(with: $1.utf8) }
    case .endsWith(let parts):
      return try any(parts, in: text) { $0.utf8.suffix($1.utf8.count).elementsEqual($1.utf8) }
    case .contains(let parts):
      for part in parts {
        try step()
        try charge(text.utf8.count * 2 + part.utf8.count * 8)
        if text.hasPart(part) { return true }
      }
    case .matches(let patterns):
      for pattern in patterns {
        try step()
        if try matches(pattern, text) { return true }
      }
    case .version(let relation, let versions):
      for version in versions {
        try step()
        try charge(text.utf8.count)
        guard let order = version.order(of: text) else { return false }
        if relation.holds(order, 0) { return true }
      }
    case .isOneOf, .number, .date, .isInSegment, .never, .unusable: break
    }
    return false
  }

  private mutating func any(
    _ parts: [String], in text: String, _ holds: (String, String) -> Bool
  ) throws(Failure) -> Bool {
    for part in parts where part.utf8.count <= text.utf8.count {
      try step()
      try charge(part.utf8.count)
      if holds(text, part) { return true }
    }
    return false
  }
}
