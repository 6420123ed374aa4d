extension FlagValue: Hashable {
  /// Returns whether two values are the same: strings by their code points, numbers by their values as doubles.
  ///
  /// Strings in different Unicode normal forms differ, as they do for rules and other languages. NaN equals itself, so
  /// that it does not count as a change. An integer and an equal double differ.
  public static func == (left: FlagValue, right: FlagValue) -> Bool {
    left.matches(right, doubles: .equal)
  }

  /// Feeds the value to a hasher, without parts below a certain depth.
  public func hash(into hasher: inout Hasher) { hash(into: &hasher, levels: 8) }

  private func hash(into hasher: inout Hasher, levels: Int) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(value)
    case .double(let value, _): hasher.combine(value.isNaN ? .nan : value)
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

extension FlagValue {
  /// Returns whether two values are equal and read the same: the digits that doubles do not keep are the same, too.
  package func readsAs(_ other: FlagValue) -> Bool {
    matches(other, doubles: .equalWithText)
  }

  /// Returns whether two values are indistinguishable; being equal is not enough.
  ///
  /// Equal strings can differ in their code units, zeros in their sign, and doubles in digits that they do not keep.
  package func isIdentical(to other: FlagValue) -> Bool {
    matches(other, doubles: .identical)
  }
}

extension FlagValue? {
  /// Returns whether both values are missing, or read the same.
  package func readsAs(_ other: FlagValue?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.readsAs(other)
  }
}

/// Returns whether two values of any type are the same, as far as that can be determined.
///
/// Equal values are the same, unless a text of one is in another Unicode normal form in the other's encoding, or a
/// number has other digits: values that are equal may be encoded in another order. Values that are not equal differ,
/// unless because of a NaN. Values that have no equality are compared by their encodings.
package func areSame<Value>(_ left: Value, _ right: Value) -> Bool {
  let areEqual = (left as? any Equatable)?.isEqual(to: right)
  guard let left = FlagValue(comparing: left), let right = FlagValue(comparing: right) else { return areEqual ?? false }
  if left.readsAs(right) { return areEqual != false || left.hasUndefinedNumber }
  return areEqual == true && left.isSpelled(like: right)
}

extension FlagValue {
  /// Returns whether each text and each number that both values have is written the same way in both.
  fileprivate func isSpelled(like other: FlagValue) -> Bool {
    let others = other.spellings
    return spellings.allSatisfy { text, spellings in others[text].map { $0 == spellings } ?? true }
  }

  /// The code units of every text and the digits of every number, by what is equal to them.
  private var spellings: [String: Set<[UInt8]>] {
    var spellings: [String: Set<[UInt8]>] = [:]
    walk { value in
      switch value {
      case .double(let number, let numeral):
        spellings["\(number)", default: []].insert(Array((numeral?.text ?? "\(number)").utf8))
      case .string(let text): spellings[text, default: []].insert(Array(text.utf8))
      case .null, .bool, .int, .array, .object: break
      }
      return value.parts + (value.fields ?? [:]).keys.map(FlagValue.string)
    }
    return spellings
  }

  /// Creates the encoding of a value; nil if it cannot be encoded.
  init?(comparing value: some Any) {
    if let scalar = (value as? any Scalar)?.scalar {
      self = scalar
    } else if (value as? any OptionalType)?.isNil == true {
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
    contains { if case .double(let number, _) = $0 { number.isNaN } else { false } }
  }
}

protocol OptionalType {
  static var wrapped: Any.Type { get }
  var isNil: Bool { get }
}

extension Optional: OptionalType {
  static var wrapped: Any.Type { Wrapped.self }
  var isNil: Bool { self == nil }
}

extension Equatable {
  /// Returns whether this equals another value; nil if that is of another type.
  fileprivate func isEqual(to other: Any) -> Bool? { (other as? Self).map { $0 == self } }
}
