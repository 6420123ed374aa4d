extension FlagValue: Hashable {
  /// Returns whether two values are the same: strings by their code points, numbers by their values.
  ///
  /// Strings in different Unicode normal forms differ, as they do for rules and other languages. NaN equals itself, so
  /// that it does not count as a change. An integer and an equal double differ.
  public static func == (left: FlagValue, right: FlagValue) -> Bool {
    left.matches(right) { left, right in
      switch (left, right) {
      case (.null, .null): true
      case (.bool(let left), .bool(let right)): left == right
      case (.int(let left), .int(let right)): left == right
      case (.double(let left), .double(let right)): left == right || left.isNaN && right.isNaN
      case (.string(let left), .string(let right)): left.isIdentical(to: right)
      default: false
      }
    }
  }

  /// Feeds the value to a hasher, without parts below a certain depth.
  public func hash(into hasher: inout Hasher) { hash(into: &hasher, levels: 8) }

  private func hash(into hasher: inout Hasher, levels: Int) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value.isNaN ? .nan : value)
    case .string(let value): hasher.combine(value)
    case .array(let elements):
      hasher.combine(elements.count)
      guard levels > 0 else { return }
      for element in elements { element.hash(into: &hasher, levels: levels - 1) }
    case .object(let fields):
      hasher.combine(fields.count)
      guard levels > 0 else { return }
      var members = 0  // without order
      for (name, value) in fields {
        var member = hasher
        member.combine(name)
        value.hash(into: &member, levels: levels - 1)
        members ^= member.finalize()
      }
      hasher.combine(members)
    }
  }
}

/// Returns whether two values of any type are the same, as far as that can be determined.
///
/// Encodable values are compared by their encoding, which distinguishes Unicode normal forms and treats NaN as equal to
/// itself. If their encodings are equal but the values are not, since not all of their state is encoded, they differ,
/// unless because of a NaN. Other values are the same if they are equal.
package func areSame<Value>(_ left: Value, _ right: Value) -> Bool {
  let areEqual = (left as? any Equatable)?.isEqual(to: right)
  guard let left = FlagValue(comparing: left), let right = FlagValue(comparing: right) else { return areEqual ?? false }
  return left == right && (areEqual != false || left.hasUndefinedNumber)
}

extension FlagValue {
  /// Creates the encoding of a value; nil if it cannot be encoded.
  init?(comparing value: some Any) {
    if let scalar = (value as? any Scalar)?.scalar {
      self = scalar
    } else if (value as? any OptionalValue)?.isNil == true {
      self = .null
    } else if let value = value as? any Encodable {
      do throws(FlagError) {
        try self.init(encoding: value)
      } catch {
        return nil  // a value that cannot be encoded cannot be compared this way
      }
    } else {
      return nil
    }
  }

  /// Creates a value to compare by: the encoding, or if the value cannot be encoded, the encodings of its parts.
  ///
  /// It is nil for objects and closures, alone or as parts, and for values that nest too deep.
  init?(comparingPartsOf value: Any, levels: Int = 16) {
    if let encoded = FlagValue(comparing: value) {
      self = encoded
      return
    }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .struct, .tuple, .collection, .optional, .enum:
      guard levels > 0 else { return nil }
      var parts: [FlagValue] = mirror.children.isEmpty ? [.string("\(value)")] : []
      for child in mirror.children {
        guard let part = FlagValue(comparingPartsOf: child.value, levels: levels - 1) else { return nil }
        parts += [.string(child.label ?? ""), part]
      }
      self = .array(parts)
    default: return nil
    }
  }

  fileprivate var hasUndefinedNumber: Bool {
    !allScalars { if case .double(let number) = $0 { !number.isNaN } else { true } }
  }
}

private protocol OptionalValue {
  var isNil: Bool { get }
}

extension Optional: OptionalValue {
  fileprivate var isNil: Bool { self == nil }
}

extension Equatable {
  /// Returns whether this equals another value; nil if that is of another type.
  fileprivate func isEqual(to other: Any) -> Bool? { (other as? Self).map { $0 == self } }
}
