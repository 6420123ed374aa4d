extension GroupDeclaration {
  func makeAccessor() -> String {
    "get { Flags.\(alias)(_flagManager, flags: _placedFlags.\(identifier)) }"
  }

  /// The name of the typealias for the group's type, in the class that stores the flags.
  ///
  /// With it, the type is written once, and the compiler reports a type that is not a set only once.
  var alias: String { "_Group_\(name)" }

  /// The group's type, which is a set of flags.
  var aliasedType: String { "FlagDomain._FlagGroupType<\(type)>" }
  var storedType: String { "\(alias).Flags" }

  func makeAssignment() -> [String] { makeMark() + ["self.\(identifier) = \(makeValue())"] }

  /// Returns the expression that makes the group's flags at their path.
  private func makeValue() -> String {
    let path = "flagCollector.path.group(\"\(name)\"\(key.map { ", key: \($0.code)" } ?? ""))"
    let metadata = metadata.map { ", FlagDomain.FlagMetadata(\($0))" } ?? ""
    return "flagCollector.group(\(storedType)(at: \(path)\(metadata)))"
  }

  /// Returns a line for a repeated group that compiles only if the keys of its type do not clash.
  private func makeMark() -> [String] { isRepeated ? ["let _: \(storedType).SecondPlace = ()"] : [] }
}
