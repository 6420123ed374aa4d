extension FlagDeclaration {
  /// The accessor that reads the flag.
  func makeAccessor() -> String {
    "get { flagManager.variation(for: placedFlags.\(identifier)) }"
  }

  /// The flag itself, under the property's name after a dollar sign.
  func makePeer() -> String {
    """
    \(access.asWritten)var $\(name): FlagDomain.BoundFlag<\(type)> {
      FlagDomain.BoundFlag(placedFlags.\(identifier), in: flagManager)
    }
    """
  }

  /// The flag among those of a place.
  func makeStorage() -> String {
    "\(access.ofSharedMember)let \(identifier): FlagDomain.Flag<\(type)>"
  }

  /// The lines that make the flag for a place.
  func makeInitialization() -> [String] {
    let arguments =
      ["\"\(name)\""] + (key.map { ["key: \($0.literal)"] } ?? [])
      + ["default: \(defaultValue)", "FlagDomain.FlagMetadata(\(metadata))"]
      + (computed.map { ["computed: \($0)"] } ?? [])
    return [
      "self.\(identifier) = flagPath.flag(\(arguments.joined(separator: ", ")))",
      "flagItems.append(.flag(self.\(identifier)))",
    ]
  }
}
