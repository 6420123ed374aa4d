import FlagDomain

/// Conversions between kinds of values, as JavaScript makes them. They are charged by the length of their input.
extension Evaluation {
  mutating func text(of value: FlagValue?) throws(RuleFailure) -> String {
    guard let value else { return "undefined" }
    if let text = value.scalarText { return text }
    var text = ""
    if case .array(let elements) = value { try append(elements, to: &text, levels: RuleLimits.textLevels) }
    return text
  }

  /// Appends the text of an array; appends nothing if it nests too deep.
  private mutating func append(
    _ elements: [FlagValue], to text: inout String, levels: Int
  ) throws(RuleFailure) {
    guard levels > 0 else { return }
    try charge(elements.count, each: ByteCost.read)
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      if case .array(let elements) = element {
        try append(elements, to: &text, levels: levels - 1)
      } else if element != .null, let part = element.scalarText {
        try charge(part.utf8.count)
        text += part
      }
    }
  }

  mutating func number(of value: FlagValue?) throws(RuleFailure) -> Double {
    switch value {
    case nil, .object: return .nan
    case .null: return 0
    case .bool(let value): return value ? 1 : 0
    case .int(let value): return Double(closestTo: value)
    case .double(let value, _): return value
    case .string, .array:
      let text = try text(of: value)
      try charge(text.utf8.count, each: ByteCost.conversion)
      return NumberText.read(text)
    }
  }

  mutating func numberPrefix(of value: FlagValue?) throws(RuleFailure) -> Double {
    switch value {
    case nil, .null, .bool, .object: return .nan
    case .int(let value): return Double(closestTo: value)
    case .double(let value, _): return value
    case .string, .array:
      let text = try text(of: value)
      try charge(text.utf8.count, each: ByteCost.conversion)
      return NumberText.readPrefix(text)
    }
  }
}
