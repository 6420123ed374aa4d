extension GroupDeclaration {
  func makeAccessor() -> String {
    "get { Flags.\(alias)(_flagManager, flags: _placedFlags.\(identifier)) }"
  }

  /// The name of the group's type in the class that keeps the flags.
  ///
  /// It is there so that a type that is no set is written once, and the compiler refuses it once.
  var alias: String { "_Group_\(name)" }

  /// The group's type, which is a set of flags.
  var aliasedType: String { "FlagDomain.FlagGroupType<\(type)>" }
  var storedType: String { "\(alias).Flags" }

  func makeAssignment() -> [String] { makeMark() + ["self.\(identifier) = \(makeValue())"] }

  /// The expression that makes the group's flags for a place.
  private func makeValue() -> String {
    let path = "flagCollector.path.group(\"\(name)\"\(key.map { ", key: \($0.literal)" } ?? ""))"
    let metadata = metadata.map { ", FlagDomain.FlagMetadata(\($0))" } ?? ""
    return "flagCollector.group(\(storedType)(at: \(path)\(metadata)))"
  }

  /// What compiles, where the set holds flags of the type already, only if keys do not clash.
  private func makeMark() -> [String] { isRepeated ? ["let _: \(storedType).SecondPlace = ()"] : [] }
}
