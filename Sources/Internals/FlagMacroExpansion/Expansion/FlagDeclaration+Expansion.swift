extension FlagDeclaration {
  func makeAccessor() -> String {
    "get { _flagManager.variation(for: _placedFlags.\(identifier)) }"
  }

  /// Returns the flag itself, under the property's name after a dollar sign.
  func makeBoundFlag() -> [String] {
    documentation + [
      "\(access.asWritten)var $\(name): Flags.\(storedType).Bound "
        + "{ FlagDomain.BoundFlag(_placedFlags.\(identifier), in: _flagManager) }"
    ]
  }

  /// The name of the typealias for the flag's type, in the class that stores the flags.
  ///
  /// With it, the type is written once, and the compiler reports a type that cannot be a flag's only once.
  var alias: String { "_Flag_\(name)" }
  var storedType: String { alias }
  var aliasedType: String { "FlagDomain.Flag<\(type)>" }

  /// Returns the assignment, with a cast so that a type that cannot be a flag's is not reported here, too.
  func makeAssignment() -> [String] { ["self.\(identifier) = \(makeValue()) as \(storedType)"] }

  /// Returns the expression that makes the flag at its path.
  private func makeValue() -> String {
    var arguments = ["\"\(name)\""] + (key.map { ["key: \($0.code)"] } ?? []) + ["default: \(defaultValue)"]
    let others = [("computed", computed), ("fallback", fallback)]
      .compactMap { label, value in value.map { "\(label): \($0)" } }
    if let description, key == nil, others.isEmpty {
      arguments.append(description)
    } else {
      arguments.append("metadata: FlagDomain.FlagMetadata(\(metadata))")
    }
    return "flagCollector.flag(\((arguments + others).joined(separator: ", ")))"
  }
}
