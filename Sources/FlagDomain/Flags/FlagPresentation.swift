/// The presentation of a flag or a group in consoles, and the values they offer for it.
///
/// It does not restrict values: code may still set one that a console would not offer.
public struct FlagPresentation: Hashable, Sendable {
  /// The presentation of a group among the flags around it.
  public enum GroupStyle: Hashable, Sendable {
    /// A part of the same list, with a heading.
    case section
    /// A row that leads to a separate list.
    case navigation
  }

  /// The name of an icon, which the console must provide; nil for that of the type.
  public var icon: String?
  /// The numbers that a console offers; nil for the full range of the type.
  public var range: ClosedRange<Double>?
  /// The step between two numbers that a console offers; nil for no steps.
  public var step: Double?
  /// The values that a console offers in addition to the cases of the flag's type.
  public var suggestions: [FlagValue]
  /// The presentation of a group.
  public var groupStyle: GroupStyle
  /// Additional data for a console of the app's own.
  public var userInfo: [String: FlagValue]

  /// Creates a presentation; without arguments it is the default one.
  public init(
    icon: String? = nil, range: ClosedRange<Double>? = nil, step: Double? = nil, suggestions: [FlagValue] = [],
    groupStyle: GroupStyle = .section, userInfo: [String: FlagValue] = [:]
  ) {
    self.icon = icon
    self.range = range
    self.step = step
    self.suggestions = suggestions
    self.groupStyle = groupStyle
    self.userInfo = userInfo
  }
}
