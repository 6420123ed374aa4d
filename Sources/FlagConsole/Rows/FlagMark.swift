/// How an app marks a flag for those who look at many: by a word, and a colour that goes with it.
///
/// ```swift
/// options.mark = { row in row.groups.first == "Server" ? FlagMark("Server", .blue) : FlagMark("Client", .green) }
/// ```
///
/// The word is there because not everybody sees colours, and nobody hears them.
public struct FlagMark: Hashable, Sendable {
  /// A colour that each face has a light and a dark shade of.
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
  public var label: String
  /// The colour.
  public var tint: Tint

  /// Creates a mark.
  public init(_ label: String, _ tint: Tint) {
    self.label = label
    self.tint = tint
  }
}
