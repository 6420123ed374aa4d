/// An app's mark on a flag, which sets it apart in long lists: a word and a colour.
///
/// ```swift
/// options.mark = { row in row.groups.first == "Server" ? FlagMark("Server", .blue) : FlagMark("Client", .green) }
/// ```
///
/// The word is required because not everybody sees colours, and screen readers do not announce them.
public struct FlagMark: Hashable, Sendable {
  /// A colour, with a light and a dark shade in each user interface.
  public enum Tint: String, CaseIterable, Hashable, Sendable {
    /// No colour.
    case gray
    /// Red.
    case red
    /// Orange.
    case orange
    /// Green.
    case green
    /// Between green and blue.
    case teal
    /// Blue.
    case blue
    /// Purple.
    case purple
    /// Pink.
    case pink
  }

  /// The word.
  package var label: String
  /// The colour.
  package var tint: Tint

  /// Creates a mark.
  public init(_ label: String, _ tint: Tint) {
    self.label = label
    self.tint = tint
  }
}
