extension FeatureFlag {
  /// All values that the flag can have, if its type lists its cases; otherwise empty.
  ///
  /// The cases are those of a `CaseIterable` type that can be encoded, or of an optional one.
  public var choices: [FlagValue] {
    get throws(FlagError) {
      let type = (Value.self as? any OptionalType.Type)?.wrapped ?? Value.self
      guard let type = type as? any (CaseIterable & Encodable).Type else { return [] }
      return try encodedCases(of: type)
    }
  }

  private func encodedCases<Cases: CaseIterable & Encodable>(
    of type: Cases.Type
  ) throws(FlagError) -> [FlagValue] {
    var values: [FlagValue] = []
    for value in type.allCases { values.append(try FlagValue(encoding: value)) }
    return values
  }
}

protocol OptionalType {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
  static var wrapped: Any.Type { Wrapped.self }
}
