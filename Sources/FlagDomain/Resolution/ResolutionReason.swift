/// The reason for a flag's value: one of the reasons of the OpenFeature specification, or another.
public struct ResolutionReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The reason's name on the wire, in capitals.
  public let rawValue: String

  /// Creates a reason from its name on the wire; any name is accepted, because the set is open.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The reason's name on the wire.
  public var description: String { rawValue }

  /// The value is fixed: no rule was evaluated.
  public static let `static` = Self(rawValue: "STATIC")
  /// No rule or provider gave a value, so a default is used.
  public static let `default` = Self(rawValue: "DEFAULT")
  /// A rule matched the evaluation context.
  public static let targetingMatch = Self(rawValue: "TARGETING_MATCH")
  /// A pseudorandom assignment chose the value.
  public static let split = Self(rawValue: "SPLIT")
  /// The value was cached from an earlier answer.
  public static let cached = Self(rawValue: "CACHED")
  /// The flag is switched off in its definition: its code default is used, or the value that the definition has for it.
  public static let disabled = Self(rawValue: "DISABLED")
  /// The provider gives no reason.
  public static let unknown = Self(rawValue: "UNKNOWN")
  /// The value may be out of date.
  public static let stale = Self(rawValue: "STALE")
  /// Something failed, so the code default is used.
  public static let error = Self(rawValue: "ERROR")
  /// A developer's override is used.
  public static let override = Self(rawValue: "OVERRIDE")
  /// The flag's own closure computed the value.
  public static let computed = Self(rawValue: "COMPUTED")
  /// No provider has a value, and the flag's closure for that case gave it.
  public static let fallback = Self(rawValue: "FALLBACK")
  /// The flag that this one requires is off.
  public static let prerequisiteFailed = Self(rawValue: "PREREQUISITE_FAILED")
}
