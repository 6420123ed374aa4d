#if canImport(SwiftUI)
  import FlagConsole
  import FlagDomain
  import Observation
  import SwiftUI

  /// What is on the screen of a console: a query, what it finds, and what went wrong last.
  @MainActor @Observable
  final class ConsoleScreen {
    let console: FlagBrowser
    var text = "" { didSet { load() } }
    var filter: FlagQuery.Filter? { didSet { load() } }
    var hasProblem = false
    private(set) var problem = ""
    private(set) var list: FlagList
    @ObservationIgnored private var subscription: FlagSubscription?

    init(_ console: FlagBrowser) {
      self.console = console
      list = console.list()
      // It begins before anything is shown, and what it tells is read on the main actor: no change is missed.
      subscription = console.subscribe { [weak self] _ in Task { @MainActor in self?.load() } }
      load()
    }
  }

  extension ConsoleScreen {
    var query: FlagQuery { FlagQuery(text, filters: Set([filter].compactMap { $0 })) }

    func load() { list = console.list(query) }

    func detail(_ key: String) -> FlagDetail? {
      _ = list  // so that a view that shows it follows changes
      return console.detail(key)
    }

    func editedText(_ key: String) -> String { console.row(key).map { $0.editor.text(of: $0.value) } ?? "" }

    func set(_ row: FlagRow, _ text: String) {
      change { console throws(FlagError) in try console.override(row.key.name, entering: text) }
    }

    func clear(_ row: FlagRow) {
      change { console throws(FlagError) in try console.clearOverride(of: row.key.name) }
    }

    func binding(of row: FlagRow, _ isOn: Bool) -> Binding<Bool> {
      Binding {
        isOn
      } set: { @MainActor isOn in
        self.set(row, isOn ? "true" : "false")
      }
    }

    func change(_ action: (FlagBrowser) throws(FlagError) -> Void) {
      do throws(FlagError) {
        try action(console)
      } catch {
        problem = error.message
        hasProblem = true
      }
      load()
    }
  }
#endif
