import FlagDomain
import FlagSupport

/// A short label beside a flag's name that shows its state.
package enum FlagTag: String, CaseIterable, Hashable, Sendable, Identifiable {
  /// The flag is overridden.
  case overridden
  /// The flag will have another value after a restart.
  case waiting
  /// The flag is past its last day and should be removed from the code.
  case expired
  /// An error occurred while the flag was resolved.
  case failing
  /// The flag can be changed only in code.
  case locked

  /// The tag.
  package var id: Self { self }
  /// The label that people see.
  package var title: String {
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
  /// The tags shown beside the flag's name.
  package var tags: [FlagTag] {
    [
      (FlagTag.overridden, isOverridden), (.waiting, isWaitingForRestart), (.expired, isExpired),
      (.failing, !errors.isEmpty), (.locked, isLocked),
    ].filter(\.1).map(\.0)
  }
}

extension FlagRow {
  /// Returns what a tag says of the flag, as sentences.
  package func explanation(of tag: FlagTag) -> String {
    switch tag {
    case .overridden: "Without the override the value is \(original?.shortText ?? "not known here")."
    case .waiting: "The flag has another value when the program restarts."
    case .expired:
      "Its last day was \(metadata.expires.map { "\($0)" } ?? "long ago"): the flag should be removed from the code."
    case .failing: errors.map(\.message).joined(separator: "\n")
    case .locked: lockReason ?? ""
    }
  }
}

extension FlagList {
  /// The number of flags that wait for a restart, as a sentence; nil for zero.
  package var restartNotice: String? {
    switch waiting {
    case 0: nil
    case 1: "1 flag waits for a restart."
    default: "\(waiting) flags wait for a restart."
    }
  }
}
