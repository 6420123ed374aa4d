import FlagDomain

/// What is said of a flag beside its name, in a word or two.
public enum FlagTag: String, CaseIterable, Hashable, Sendable, Identifiable {
  /// It is overridden.
  case overridden
  /// It will have another value after a restart.
  case waiting
  /// It should be gone from the code.
  case expired
  /// Something failed when its value was looked for.
  case failing
  /// Only code changes it.
  case locked

  /// The tag.
  public var id: Self { self }
  /// What people call it.
  public var title: String {
    switch self {
    case .overridden: "Overridden"
    case .waiting: "After restart"
    case .expired: "Expired"
    case .failing: "Error"
    case .locked: "Locked"
    }
  }
}

extension FlagRow {
  /// What is said of the flag beside its name.
  public var tags: [FlagTag] {
    [
      (FlagTag.overridden, isOverridden), (.waiting, isWaitingForRestart), (.expired, isExpired),
      (.failing, !resolution.errors.isEmpty), (.locked, isLocked),
    ].filter(\.1).map(\.0)
  }
}

extension FlagList {
  /// How many flags wait for a restart, as a sentence; nil where none does.
  public var restartNotice: String? {
    switch waiting {
    case 0: nil
    case 1: "1 flag waits for a restart."
    default: "\(waiting) flags wait for a restart."
    }
  }
}
