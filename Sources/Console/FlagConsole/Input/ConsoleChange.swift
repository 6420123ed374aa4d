/// A change to overrides or values that a person makes in any user interface.
public enum ConsoleChange: Hashable, Sendable {
  /// Overrides a flag with the text from its editor; nil text sets the value none, if the flag is optional.
  case override(key: String, entering: String?)
  /// Clears the override of a flag.
  case clear(key: String)
  /// Writes the text from a flag's editor to a provider, or to every writable provider if `provider` is nil.
  case write(key: String, entering: String?, provider: String?)
  /// Removes the value of a flag from a provider.
  case remove(key: String, provider: String)
  /// Removes the variant that the user keeps in a sticky experiment.
  case assignAnew(key: String)
  /// Clears every override except those of locked flags.
  case clearAll
}

/// A confirmation that a person must give before a change is applied.
public struct FlagQuestion: Hashable, Sendable {
  /// The title of the dialog, in two words.
  public let title: String
  /// The effect of confirming.
  public let message: String
  /// The label of the confirming button; the other button says "Cancel".
  public let confirmation: String

  /// The confirmation for a change that takes effect only after a restart.
  static let restart = FlagQuestion(
    title: "Restart required", message: "The change takes effect when the program restarts.",
    confirmation: "Continue")

  /// Returns the confirmation for clearing all overrides.
  static func clearing(_ overrides: Int, someAfterRestart: Bool) -> FlagQuestion {
    let message = overrides == 1 ? "Clear the override?" : "Clear all \(overrides) overrides?"
    return FlagQuestion(
      title: "Clear overrides", message: message + (someAfterRestart ? " " + restart.message : ""),
      confirmation: "Clear")
  }
}

/// A change that is pending until it is confirmed.
public struct PendingConsoleChange: Hashable, Sendable {
  /// The change to apply.
  public let change: ConsoleChange
  /// The confirmation to show.
  public let question: FlagQuestion
}

/// A one-step change to a flag, such as a swipe action or a menu item.
package struct FlagAction: Hashable, Sendable, Identifiable {
  /// The title in the user interface.
  package let title: String
  /// The change that it makes.
  public let change: ConsoleChange

  /// The change, which identifies the action.
  package var id: ConsoleChange { change }
}
