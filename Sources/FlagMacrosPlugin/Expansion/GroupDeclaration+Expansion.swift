extension GroupDeclaration {
  /// The accessor that makes the group's set.
  func makeAccessor() -> String {
    "get { Flags.\(alias)(_flagManager, flags: _placedFlags.\(identifier)) }"
  }

  /// The name of the group's type in the class that keeps the flags.
  ///
  /// It is there so that a type that is no set is written once, and the compiler refuses it once.
  var alias: String { "_Group_\(name)" }

  /// The group's type, which is a set of flags.
  var aliasedType: String { "FlagDomain.FlagGroupType<\(type)>" }

  /// The type of the group's flags.
  var storedType: String { "\(alias).Flags" }

  /// The lines that make the group's flags for a place; where the set holds them already, only if keys do not clash.
  func makeValue() -> [String] {
    let path = "flagPath.group(\"\(name)\"\(key.map { ", key: \($0.literal)" } ?? ""))"
    let metadata = metadata.map { ", FlagDomain.FlagMetadata(\($0))" } ?? ""
    let flags = "\(storedType)(at: \(path)\(metadata))"
    return isRepeated ? ["let _: \(storedType).SecondPlace = ()", "return \(flags)"] : [flags]
  }
}
