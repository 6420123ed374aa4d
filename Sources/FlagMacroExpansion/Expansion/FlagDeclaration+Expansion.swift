extension FlagDeclaration {
  /// The accessor that reads the flag.
  func makeAccessor() -> String {
    "get { _flagManager.variation(for: _placedFlags.\(identifier)) }"
  }

  /// The flag itself, under the property's name after a dollar sign.
  func makeBoundFlag() -> String {
    "\(access.asWritten)var $\(name): Flags.\(storedType).Bound "
      + "{ FlagDomain.BoundFlag(_placedFlags.\(identifier), in: _flagManager) }"
  }

  /// The name of the flag's type in the class that keeps the flags.
  ///
  /// It is there so that a type that cannot be a flag's is written once, and the compiler refuses it once.
  var storedType: String { "_Flag_\(name)" }

  /// The flag's type.
  var aliasedType: String { "FlagDomain.Flag<\(type)>" }

  /// The expression that makes the flag for a place.
  func makeValue() -> String {
    var arguments = ["\"\(name)\""] + (key.map { ["key: \($0.literal)"] } ?? []) + ["default: \(defaultValue)"]
    if let description, key == nil, computed == nil {
      arguments.append(description)
    } else {
      arguments.append("metadata: FlagDomain.FlagMetadata(\(metadata))")
    }
    arguments += computed.map { ["computed: \($0)"] } ?? []
    return "flagCollector.flag(\(arguments.joined(separator: ", ")))"
  }
}
