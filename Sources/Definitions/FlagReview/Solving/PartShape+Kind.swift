import FlagDomain

extension PartShape {
  enum Kind {
    case value, equality, order, affix, version, containment, split, other
  }

  var kind: Kind {
    switch self {
    case .value: .value
    case .equality: .equality
    case .order: .order
    case .prefix, .suffix: .affix
    case .version: .version
    case .containment: .containment
    case .split: .split
    case .other: .other
    }
  }

  var isOther: Bool { kind == .other }
}

extension [PartShape] {
  /// Whether texts are compared by their order.
  var ordersTexts: Bool {
    contains { shape in
      if case .order(let constants) = shape { constants.contains { $0.string != nil } } else { false }
    }
  }

  /// The constants that are searched for in the attribute, each once.
  var needles: Set<FlagValue> {
    Set(compactMap { shape in if case .containment(let needle) = shape { needle } else { nil } })
  }
}
