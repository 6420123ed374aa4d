/// How flag browsers show a flag or a group, and what they offer when someone changes it.
///
/// It never decides a value: code may still set what a browser would not offer.
public struct FlagPresentation: Hashable, Sendable {
  /// How a group is shown among the flags around it.
  public enum GroupStyle: Hashable, Sendable {
    /// As a part of the same list, with a heading.
    case section
    /// As a row that leads to a list of its own.
    case navigation
  }

  /// The name of an icon, which the browser has to know; nil for that of the type.
  public var icon: String?
  /// The numbers that a browser offers; nil for all that the type can hold.
  public var range: ClosedRange<Double>?
  /// How far two numbers that a browser offers are apart; nil for no steps.
  public var step: Double?
  /// Values that a browser offers, beside the cases of the flag's type.
  public var suggestions: [FlagValue]
  /// How a group is shown.
  public var groupStyle: GroupStyle
  /// Whatever else a browser of the app's own wants to know.
  public var userInfo: [String: FlagValue]

  /// Creates a presentation; without arguments it is the usual one.
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
