extension GroupDeclaration {
  /// The accessor that makes the group's set.
  func makeAccessor() -> String {
    "get { \(type)(flagManager, flags: placedFlags.\(identifier)) }"
  }

  /// The group's flags among those of a place.
  func makeStorage() -> String {
    "\(access.ofSharedMember)let \(identifier): \(type).Flags"
  }

  /// The lines that make the group's flags for a place.
  func makeInitialization() -> [String] {
    let path = "flagPath.group(\"\(name)\"\(key.map { ", key: \($0.literal)" } ?? ""))"
    let metadata = metadata.map { ", FlagDomain.FlagMetadata(\($0))" } ?? ""
    return [
      "self.\(identifier) = \(type).Flags(at: \(path)\(metadata))",
      "flagItems.append(.group(self.\(identifier).flagCatalog))",
    ]
  }
}
