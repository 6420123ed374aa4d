public import FlagDomain

/// A variant of a flag: a name, and the value that users get.
public struct FlagVariant: Hashable, Sendable {
  /// The name.
  public var name: String
  /// The value.
  public var value: FlagValue

  /// Creates a variant.
  public init(_ name: String, _ value: FlagValue) { (self.name, self.value) = (name, value) }
}

/// The metadata of a flag that say something about its life: names that tools know among all others.
package enum FlagMetadataName: Sendable {
  /// The description, a string.
  package static let description = "description"
  /// The person or team responsible for the flag, a string.
  package static let owner = "owner"
  /// The last day on which the flag should be in the code, a day such as 2027-01-31.
  package static let expires = "expires"
  /// Whether the flag is retired: off for everyone, and to be deleted; a boolean.
  package static let retired = "retired"
  /// The last day of a retired flag, a day such as 2027-01-31; the flag may be deleted after it.
  package static let gone = "gone"
}

/// The state of a flag that is off for everyone, and may be deleted after a day.
package struct FlagRetirement: Hashable, Sendable {
  /// The last day; nil if the metadata have none, or none that is a day.
  package let gone: CalendarDay?

  /// Reads the state from a flag's metadata; nil if the flag is not retired.
  package init?(_ metadata: [String: FlagValue]) {
    guard metadata[FlagMetadataName.retired] == .bool(true) else { return nil }
    gone =
      if case .string(let day)? = metadata[FlagMetadataName.gone] { CalendarDay(validating: day) } else { nil }
  }

  /// Returns whether the last day is over.
  package func isOver(on today: CalendarDay) -> Bool { gone.map { $0 < today } ?? false }
}
