import FlagDefinitions
import FlagDomain

/// The way that a part of a rule treats an attribute, with the constants that it compares it with.
struct PartShape: Hashable {
  enum Kind {
    /// The attribute itself: whether it is true, or its value as the name of a variant.
    case value
    /// A comparison for equality with one of several constants.
    case equality
    /// A comparison with smaller or greater constants.
    case order
    /// A comparison with a string's beginning or end.
    case prefix, suffix
    /// A comparison with a semantic version.
    case version
    /// A search for a constant among the attribute's elements or in its text.
    case containment
    /// A split by a hash of the attribute alone, which is the same for an equal subject.
    case split
    /// Any other expression.
    case other
  }

  let kind: Kind
  /// The constants that the attribute is compared with.
  let constants: [FlagValue]
  /// The expression that a split hashes; nil for the flag's key and the attribute.
  let subject: FlagValue?

  init(_ kind: Kind, _ constants: [FlagValue] = [], subject: FlagValue? = nil) {
    (self.kind, self.constants, self.subject) = (kind, constants, subject)
  }

  /// Creates the shape of a part, in which the time and the flag's key were replaced by their values.
  init(_ part: FlagValue) {
    guard let members = part.fields, members.count == 1, let (name, argument) = members.first else {
      self.init(.other, part.scalars)
      return
    }
    let operands = argument.elements ?? [argument]
    self = Self.known(name, operands, isVariable: part.isVariable) ?? Self(.other, part.scalars)
  }

  private static func known(_ name: String, _ operands: [FlagValue], isVariable: Bool) -> PartShape? {
    if isVariable { return Self(.value) }
    let constants = operands.filter { !$0.isVariable }
    if name == "fractional" { return split(operands) }
    guard constants.count == operands.count - 1, constants.allSatisfy({ $0.isConstant }) else { return nil }
    switch (name, operands.count) {
    case ("==", 2), ("===", 2), ("!=", 2), ("!==", 2): return constants[0].isScalar ? Self(.equality, constants) : nil
    case ("<", 2), ("<=", 2), (">", 2), (">=", 2), ("<", 3), ("<=", 3):
      return constants.allSatisfy(\.isScalar) ? Self(.order, constants) : nil
    case ("in", 2):
      if operands[1].isVariable { return constants[0].isScalar ? Self(.containment, constants) : nil }
      guard let elements = constants[0].elements, elements.allSatisfy(\.isScalar) else { return nil }
      return Self(.equality, elements)
    case ("starts_with", 2): return operands[1].text.map { Self(.prefix, [.string($0)]) }
    case ("ends_with", 2): return operands[1].text.map { Self(.suffix, [.string($0)]) }
    case ("sem_ver", 3):
      guard operands[1].text != nil else { return nil }
      return (operands[0].isVariable ? operands[2] : operands[0]).versionText.map { Self(.version, [.string($0)]) }
    default: return nil
    }
  }

  private static func split(_ operands: [FlagValue]) -> PartShape? {
    guard let first = operands.first else { return nil }
    let hasSubject = first.elements == nil
    guard operands.dropFirst(hasSubject ? 1 : 0).allSatisfy({ $0.elements != nil && $0.isConstant }) else { return nil }
    // A literal nil would be the value null.
    return Self(.split, subject: hasSubject ? .some(first) : .none)
  }
}

extension [PartShape] {
  /// Returns the constants of the shapes of a kind.
  func constants(of kind: PartShape.Kind) -> [FlagValue] { filter { $0.kind == kind }.flatMap(\.constants) }

  /// Whether texts are compared by their order.
  var ordersTexts: Bool { constants(of: .order).contains { $0.text != nil } }
}

extension FlagValue {
  /// Whether the value is a variable of a rule, with a constant in its place if there is no such attribute.
  var isVariable: Bool {
    guard let members = fields, members.count == 1, let argument = members["var"] else { return false }
    let parts = argument.elements ?? [argument]
    return parts.count <= 2 && parts.first?.text?.isEmpty == false && parts.dropFirst().allSatisfy(\.isConstant)
  }

  /// Whether the value has no operator in it.
  fileprivate var isConstant: Bool {
    switch self {
    case .array(let elements): elements.allSatisfy(\.isConstant)
    case .object(let members): members.count != 1
    case .null, .bool, .int, .double, .string: true
    }
  }

  /// The scalar parts of a rule, without the names of variables and the relations of versions.
  fileprivate var scalars: [FlagValue] {
    var scalars: [FlagValue] = []
    walk { value in
      if value.isScalar { scalars.append(value) }
      return value.elements?.reversed() ?? value.fields.map { Array($0.filter { $0.key != "var" }.values) } ?? []
    }
    return scalars
  }

  /// Whether a hash is a part of a rule.
  var splitsUsers: Bool {
    switch self {
    case .array(let elements): elements.contains(where: \.splitsUsers)
    case .object(let members):
      members.count == 1 && members["fractional"] != nil || members.values.contains(where: \.splitsUsers)
    case .null, .bool, .int, .double, .string: false
    }
  }

  /// The value with the time and the flag's key instead of the variables that stand for them.
  func substituting(_ values: [String: FlagValue]) -> FlagValue {
    switch self {
    case .array(let elements): .array(elements.map { $0.substituting(values) })
    case .object(let members):
      if members.count == 1, let name = members["var"]?.text, let value = values[name] {
        value
      } else {
        .object(members.mapValues { $0.substituting(values) })
      }
    case .null, .bool, .int, .double, .string: self
    }
  }
}
