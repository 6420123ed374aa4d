#if canImport(SwiftUI)
  import FlagConsole
  import FlagDomain
  import Observation
  import SwiftUI

  /// The state that all views of a console share: the newest revision, the pending confirmation, and the last error.
  @MainActor @Observable
  final class ConsoleScreen {
    let console: ConsoleModel
    var isAsking = false
    var hasProblem = false
    private(set) var pending: PendingConsoleChange?
    private(set) var problem = ""
    private var revision: UInt64
    @ObservationIgnored private var subscription: FlagSubscription?

    init(_ console: ConsoleModel) {
      self.console = console
      revision = console.revision
      // Subscribes before anything is shown and handles changes on the main actor, so that no change is missed.
      subscription = console.subscribe { [weak self] revision in Task { @MainActor in self?.revision = revision } }
      revision = console.revision
    }
  }

  extension ConsoleScreen {
    func list(_ query: FlagQuery) -> FlagList {
      _ = revision  // so that a view that shows it follows changes
      return console.list(query)
    }

    func detail(_ key: String) -> FlagDetail? {
      _ = revision
      return console.detail(key)
    }

    func editedText(_ key: String) -> String { console.row(key).map { $0.control.text(of: $0.value) } ?? "" }

    func submit(_ change: ConsoleChange) {
      attempt { console throws(FlagError) in
        pending = try console.submit(change)
        isAsking = pending != nil
      }
    }

    func proceed() {
      guard let pending else { return }
      attempt { console throws(FlagError) in try console.apply(pending.change) }
    }

    func binding(of row: FlagRow, _ isOn: Bool) -> Binding<Bool> {
      Binding {
        isOn
      } set: { @MainActor isOn in
        self.submit(.override(key: row.key.name, entering: isOn ? "true" : "false"))
      }
    }

    func attempt(_ action: (ConsoleModel) throws(FlagError) -> Void) {
      do throws(FlagError) {
        try action(console)
      } catch {
        problem = error.message
        hasProblem = true
      }
      revision = console.revision
    }
  }
#endif
