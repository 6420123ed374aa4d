/// A condition of the compiler: what stands behind `#if` or `#elseif`.
indirect enum Condition: Hashable {
  /// A word such as `DEBUG`, or a question such as `os(macOS)`.
  case atom(String)
  case not(Condition)
  case both(Condition, Condition)
  case either(Condition, Condition)

  /// Reads a condition; nil for what cannot be read.
  init?(_ text: some StringProtocol) {
    var rest = Substring(text.filter { $0 != " " })
    guard let condition = Self.alternatives(&rest), rest.isEmpty else { return nil }
    self = condition
  }

  /// Returns whether the condition holds, if certain atoms do.
  func holds(_ isTrue: (String) -> Bool) -> Bool {
    switch self {
    case .atom(let name): isTrue(name)
    case .not(let condition): !condition.holds(isTrue)
    case .both(let one, let other): one.holds(isTrue) && other.holds(isTrue)
    case .either(let one, let other): one.holds(isTrue) || other.holds(isTrue)
    }
  }

  /// The words and questions of the condition.
  var atoms: Set<String> {
    switch self {
    case .atom(let name): [name]
    case .not(let condition): condition.atoms
    case .both(let one, let other), .either(let one, let other): one.atoms.union(other.atoms)
    }
  }
}

extension Condition {
  private static func alternatives(_ rest: inout Substring) -> Condition? {
    guard var condition = conjunction(&rest) else { return nil }
    while rest.hasPrefix("||") {
      rest = rest.dropFirst(2)
      guard let other = conjunction(&rest) else { return nil }
      condition = .either(condition, other)
    }
    return condition
  }

  private static func conjunction(_ rest: inout Substring) -> Condition? {
    guard var condition = part(&rest) else { return nil }
    while rest.hasPrefix("&&") {
      rest = rest.dropFirst(2)
      guard let other = part(&rest) else { return nil }
      condition = .both(condition, other)
    }
    return condition
  }

  private static func part(_ rest: inout Substring) -> Condition? {
    if rest.hasPrefix("!") {
      rest = rest.dropFirst()
      return part(&rest).map(Condition.not)
    }
    if rest.hasPrefix("(") {
      rest = rest.dropFirst()
      guard let inner = alternatives(&rest), rest.popFirst() == ")" else { return nil }
      return inner
    }
    guard let match = rest.prefixMatch(of: /\w+(?:\([^()]*\))?/) else { return nil }
    rest = rest[match.range.upperBound...]
    return .atom(String(match.output))
  }
}
