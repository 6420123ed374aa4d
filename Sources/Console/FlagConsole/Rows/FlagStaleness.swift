/// A reason why a flag may have done its work, and could be removed from the code.
package enum FlagStaleness: String, CaseIterable, Hashable, Sendable, Identifiable {
  /// The flag is past its last day.
  case expired
  /// The definition is marked as retired.
  case retired
  /// The definition is switched off: everyone gets the default in the code.
  case offForEveryone
  /// The definition gives everyone the same variant.
  case oneVariant
  /// No code reads the flag.
  case unread

  /// The reason.
  package var id: Self { self }
  /// The label that people see.
  package var title: String {
    switch self {
    case .expired: "Expired"
    case .retired: "Retired"
    case .offForEveryone: "Off for everyone"
    case .oneVariant: "One variant for everyone"
    case .unread: "Read by no code"
    }
  }
}
