extension SetDeclaration {
  /// The members that make a struct a set of flags.
  func makeMembers() -> String {
    """
    \(makeFlags())

    \(access.ofMember)static let flags = Flags(at: FlagDomain.FlagPath(\(pathArguments)))

    private let flagManager: any FlagDomain.FeatureFlagManager
    private let placedFlags: Flags

    \(access.ofMember)init(_ manager: any FlagDomain.FeatureFlagManager, flags: Flags) {
      flagManager = manager
      placedFlags = flags
    }
    """
  }

  private func makeFlags() -> String {
    """
    \(access.ofMember)final class Flags: FlagDomain.PlacedFlags {
    \(lines(indent: 2) { [$0.makeStorage()] })
      \(access.ofMember)let flagCatalog: FlagDomain.FlagCatalog

      \(access.ofMember)init(at flagPath: FlagDomain.FlagPath, _ flagMetadata: FlagDomain.FlagMetadata? = nil) {
        var flagItems: [FlagDomain.FlagCatalog.Item] = []
        flagItems.reserveCapacity(\(members.count))
    \(lines(indent: 4) { $0.makeInitialization() })
        flagCatalog = flagPath.catalog(flagMetadata ?? FlagDomain.FlagMetadata(\(metadata)), flagItems)
      }
    }
    """
  }

  private var pathArguments: String {
    ([path.literal] + (key.map { ["key: \($0.literal)"] } ?? []) + (style.map { ["style: \($0)"] } ?? []))
      .joined(separator: ", ")
  }

  /// Returns lines for every member, each under the member's condition; what was written stays as it was.
  private func lines(indent: Int, of content: (Member.Content) -> [String]) -> String {
    members
      .flatMap { member in
        let lines = content(member.content)
        return member.condition.map { ["#if \($0)"] + lines + ["#endif"] } ?? lines
      }
      .map { String(repeating: " ", count: indent) + $0 }
      .joined(separator: "\n")
  }
}

extension SetDeclaration.Member.Content {
  fileprivate func makeStorage() -> String {
    switch self {
    case .flag(let flag): flag.makeStorage()
    case .group(let group): group.makeStorage()
    }
  }

  fileprivate func makeInitialization() -> [String] {
    switch self {
    case .flag(let flag): flag.makeInitialization()
    case .group(let group): group.makeInitialization()
    }
  }
}
