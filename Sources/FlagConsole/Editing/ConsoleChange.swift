/// What a person does to overrides and values, in any face.
public enum ConsoleChange: Hashable, Sendable {
  /// Overrides the flag of a key with what was entered in its editor; nil for none, where the flag can have that.
  case override(key: String, entering: String?)
  /// Clears the override of the flag of a key.
  case clear(key: String)
  /// Writes what was entered in the editor of the flag of a key to a provider; nil for each that can be written to.
  case write(key: String, entering: String?, provider: String?)
  /// Removes the value of the flag of a key from a provider.
  case remove(key: String, provider: String)
  /// Clears every override but those of locked flags.
  case clearAll
}

/// What a person is asked before a change is applied: to cancel, or to go on.
public struct FlagQuestion: Hashable, Sendable {
  /// What it is about, in two words.
  public let title: String
  /// What going on does.
  public let message: String
  /// What the button says that goes on; the other one says "Cancel".
  public let confirmation: String

  /// What is asked before a change that counts from the next start only.
  static let restart = FlagQuestion(
    title: "Restart required", message: "The change counts from the next start of the program.",
    confirmation: "Continue")

  /// Returns what is asked before all overrides are cleared.
  static func clearing(_ overrides: Int, someAfterRestart: Bool) -> FlagQuestion {
    let message = overrides == 1 ? "Clear the override?" : "Clear all \(overrides) overrides?"
    return FlagQuestion(
      title: "Clear overrides", message: message + (someAfterRestart ? " " + restart.message : ""),
      confirmation: "Clear")
  }
}

/// A change that waits for an answer.
public struct PendingConsoleChange: Hashable, Sendable {
  /// What is to be done.
  public let change: ConsoleChange
  /// What a person is asked.
  public let question: FlagQuestion
}

/// Something that can be done to a flag in one move, as by a swipe or from a menu.
public struct FlagAction: Hashable, Sendable, Identifiable {
  /// What people call it.
  public let title: String
  /// What it does.
  public let change: ConsoleChange

  /// What it does.
  public var id: ConsoleChange { change }
}
