#if canImport(SwiftUI)
  import FlagConsole
  import FlagDomain
  import Observation
  import SwiftUI

  /// The state that all views of a console share: the number of changes that were seen, and what is asked or said.
  @MainActor @Observable
  final class ConsoleScreen {
    let console: ConsoleModel
    /// The message in front, and the view that shows it.
    private(set) var message: (place: String, ConsoleMessage)?
    /// The number of changes that were made here.
    private(set) var changes = 0
    /// The number of changes that were seen: those made here at once, others when the console reports them.
    private var revision = 0
    @ObservationIgnored private var subscription: FlagSubscription?

    init(_ console: ConsoleModel) {
      self.console = console
      // Subscribes before anything is shown and handles changes on the main actor, so that no change is missed.
      subscription = console.subscribe { [weak self] _ in
        Task { @MainActor [weak self] in self?.revision += 1 }
      }
    }

    // MARK: - Reading, which follows changes

    func list(_ query: FlagQuery) -> FlagList {
      _ = revision
      return console.list(query)
    }

    func detail(_ key: String) -> FlagDetail? {
      _ = revision
      return console.detail(key)
    }

    var undoTitle: String? {
      _ = revision
      return console.undoTitle
    }

    // MARK: - Changing

    /// Makes a change, or asks first; an error is said by the view of a place.
    func submit(_ change: ConsoleChange, at place: String) {
      attempt(at: place) { console throws(FlagError) in try submit(change, to: console, at: place) }
    }

    /// Makes a change that was entered, or asks first.
    ///
    /// - Throws: The console's error, so that it is said where the value was entered.
    func enter(_ change: ConsoleChange, at place: String) throws(FlagError) {
      defer { revision += 1 }
      try submit(change, to: console, at: place)
    }

    private func submit(_ change: ConsoleChange, to console: ConsoleModel, at place: String) throws(FlagError) {
      if let pending = try console.submit(change) {
        message = (place, .question(pending))
      } else {
        changes += 1
      }
    }

    func attempt(at place: String, _ action: (ConsoleModel) throws(FlagError) -> Void) {
      do throws(FlagError) {
        try action(console)
      } catch {
        say("That did not work", error.message, at: place)
      }
      revision += 1
    }

    func proceed(with pending: PendingConsoleChange, at place: String) {
      attempt(at: place) { console throws(FlagError) in
        try console.apply(pending.change)
        changes += 1
      }
    }

    // MARK: - Messages

    func say(_ title: String, _ text: String, at place: String) { message = (place, .notice(title, text)) }

    func message(at place: String) -> ConsoleMessage? { message?.place == place ? message?.1 : nil }

    func forgetMessage(at place: String) { if message?.place == place { message = nil } }
  }

  /// The message of an alert.
  enum ConsoleMessage {
    case question(PendingConsoleChange)
    case notice(String, String)

    var title: String {
      switch self {
      case .question(let pending): pending.question.title
      case .notice(let title, _): title
      }
    }

    var text: String {
      switch self {
      case .question(let pending): pending.question.message
      case .notice(_, let text): text
      }
    }
  }

  extension View {
    /// Shows what the screen asks or says at a place; each place is a view of its own, since a list of the app has none
    /// that is always there.
    func messages(of screen: ConsoleScreen, at place: String) -> some View {
      let message = screen.message(at: place)
      let isShown = Binding { @MainActor in
        screen.message(at: place) != nil
      } set: { @MainActor isShown in
        if !isShown { screen.forgetMessage(at: place) }
      }
      return alert(LocalizedStringKey(message?.title ?? ""), isPresented: isShown) {
        if case .question(let pending)? = message {
          Button("Cancel", role: .cancel) {}
          Button(LocalizedStringKey(pending.question.confirmation)) { screen.proceed(with: pending, at: place) }
        } else {
          Button("OK") {}
        }
      } message: {
        Text(message?.text ?? "")
      }
    }
  }
#endif
