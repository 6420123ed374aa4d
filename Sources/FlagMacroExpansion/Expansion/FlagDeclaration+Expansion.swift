extension FlagDeclaration {
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
  var alias: String { "_Flag_\(name)" }
  var storedType: String { alias }
  var aliasedType: String { "FlagDomain.Flag<\(type)>" }

  /// A flag is said to be of its type, so that one that cannot be a flag's is not reported here, too.
  func makeAssignment() -> [String] { ["self.\(identifier) = \(makeValue()) as \(storedType)"] }

  /// The expression that makes the flag for a place.
  private func makeValue() -> String {
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
