import FeatureFlags
import FeedFlags
import Foundation
import Observation
import SettingsFlags

/// One run of the app: commands come in, screens go out whenever a flag that they show has changed.
struct Session {
  let events = Events()
  private let flags: FeatureFlagClient
  private let settings: SettingsModel
  private let feed: FeedModel

  init(flags: FeatureFlagClient) {
    self.flags = flags
    settings = SettingsModel(flags: flags.observedManager)
    feed = FeedModel(flags: flags.observedManager)
  }

  func run() async {
    say("NewsApp. Type help for the commands.")
    draw()
    events.askForLine()
    for await event in events.stream {
      switch event {
      case .changed: draw()
      case .complaint(let text): say("! \(text)")
      case .status(let text): say("~ \(text)")
      case .line(nil): return
      case .line(let line?):
        say("> \(line)")
        guard run(line) else { return }
        events.askForLine()
      }
    }
  }

  /// Prints the screens, and notes when a flag that they read changes.
  private func draw() {
    let lines = withObservationTracking {
      settings.screen + feed.screen
    } onChange: { [events] in
      events.send(.changed)
    }
    say(lines.map { "  | " + $0 }.joined(separator: "\n"))
  }
}

extension Session {
  /// Runs a command, and returns whether the session goes on.
  private func run(_ line: String) -> Bool {
    var words = line.split(separator: " ").map(String.init)
    let command = words.isEmpty ? "" : words.removeFirst()
    do {
      switch (command, words.count) {
      case ("", _): break
      case ("in", 1...): signIn(words)
      case ("out", 0): flags.authenticator.setUser(nil)
      case ("override", 2...): try override(words[0], with: words.dropFirst().joined(separator: " "))
      case ("clear", 0): try flags.overrides.clearOverrides()
      case ("clear", 1): try clear(words[0])
      case ("flags", 0): list()
      case ("quit", 0): return false
      default: say(Self.help)
      }
    } catch {
      say("! \(error)")
    }
    return true
  }

  private func signIn(_ words: [String]) {
    let country = words.count > 1 ? words[1] : nil
    flags.authenticator.setUser(FlagUser(id: words[0], countryCode: country, segments: Array(words.dropFirst(2))))
  }

  private func override(_ name: String, with text: String) throws {
    guard let flag = flags.catalogs.flatMap(\.flags).first(where: { $0.key.name == name }) else {
      throw FlagError(.flagNotFound, "no flag has the key \(name)")
    }
    try flag.override(with: text, in: flags.overrides)
  }

  private func clear(_ name: String) throws {
    if let key = FlagKey(validating: name) { try flags.overrides.setOverrides([key: nil]) }
  }

  private func list() {
    for flag in flags.catalogs.flatMap(\.flags) { say("  \(flag.key): \(flag.state(in: flags.overrides))") }
  }

  private static let help = """
      in ID [COUNTRY [SEGMENT ...]]   sign in
      out                             sign out
      override KEY VALUE              override a flag, by a value as JSON
      clear [KEY]                     clear one override, or all
      flags                           list the flags
      quit
    """
}

extension FeatureFlag {
  fileprivate func state(in overrides: any FlagOverriding) -> String { "\(overrides.overrideState(of: self))" }

  /// Overrides the flag, after a check that it can read the value.
  fileprivate func override(with text: String, in overrides: any FlagOverriding) throws {
    let value = try JSONDecoder().decode(FlagValue.self, from: Data(text.utf8))
    _ = try value.decode(as: Value.self)
    try overrides.setOverrides([key: value])
  }
}
