#if canImport(SwiftUI)
  import FlagConsole
  import FlagDomain
  import SwiftUI

  /// A list of flags: all of them, or those of a group that has a list of its own.
  struct FlagListView: View {
    let title: String
    let screen: ConsoleScreen
    /// Closes the console; nil where the app does.
    let close: (@MainActor () -> Void)?
    @State var query: FlagQuery

    var body: some View {
      let list = screen.list(query)
      List {
        FlagFilters(screen: screen, query: $query)
        FlagListContent(list: list, screen: screen, query: query)
      }
      .searchable(text: $query.text, prompt: "Names, keys and descriptions")
      .navigationTitle(LocalizedStringKey(title))
      .toolbar {
        if let close { Button("Done", action: close) }
        FlagListMenu(list: list, screen: screen, query: $query)
      }
      .sensoryFeedback(.success, trigger: screen.changes)
      .messages(of: screen, at: Self.place)
    }

    static let place = "list"
  }

  /// The flags as sections of an app's own list, with a search field and the menu in rows of their own.
  struct FlagSections: View {
    let screen: ConsoleScreen
    @State var query: FlagQuery

    var body: some View {
      let list = screen.list(query)
      Section {
        TextField("Names, keys and descriptions", text: $query.text).autocorrectionDisabled().withoutCapitals()
        FlagFilters(screen: screen, query: $query)
        FlagListMenu(list: list, screen: screen, query: $query).messages(of: screen, at: FlagListView.place)
      }
      FlagListContent(list: list, screen: screen, query: query)
    }
  }

  /// The sections of a list, or why there are none.
  private struct FlagListContent: View {
    let list: FlagList
    let screen: ConsoleScreen
    let query: FlagQuery

    var body: some View {
      if list.sections.isEmpty {
        ContentUnavailableView(
          list.total == 0 ? "No flags" : "No flag matches", systemImage: "flag.slash",
          description: list.total == 0
            ? Text("The catalogs of the client have none.")
            : Text("\(list.total) flags have other names, states or sources."))
      }
      ForEach(list.sections) { section in
        Section(LocalizedStringKey(section.title)) {
          ForEach(section.items) { item in
            switch item {
            case .flag(let row): FlagRowView(row: row, screen: screen)
            case .group(let row): FlagGroupRowView(row: row, screen: screen, includesInternal: query.includesInternal)
            }
          }
        }
      }
      if let notice = list.restartNotice { Text(LocalizedStringKey(notice)) }
    }
  }

  /// The states and sources to narrow the list to, each of which can be chosen with others.
  private struct FlagFilters: View {
    let screen: ConsoleScreen
    @Binding var query: FlagQuery

    var body: some View {
      ScrollView(.horizontal) {
        HStack {
          ForEach(FlagQuery.Filter.allCases, id: \.self) { filter in
            choice(filter.title, isChosen: query.filters.contains(filter)) { query.toggle(filter) }
          }
          ForEach(screen.console.providers, id: \.self) { name in
            choice(name, isChosen: query.providers.contains(name)) { query.toggle(provider: name) }
          }
        }
      }
    }

    private func choice(_ title: String, isChosen: Bool, action: @escaping @MainActor () -> Void) -> some View {
      Button(LocalizedStringKey(title), action: action)
        .buttonStyle(.bordered)
        .tint(isChosen ? Color.accentColor : Color.secondary)
        .accessibilityAddTraits(isChosen ? .isSelected : [])
    }
  }

  /// The actions on the list as a whole.
  private struct FlagListMenu: View {
    let list: FlagList
    let screen: ConsoleScreen
    @Binding var query: FlagQuery

    var body: some View {
      #if os(watchOS)
        entries
      #else
        Menu("More") { entries }
      #endif
    }

    @ViewBuilder private var entries: some View {
      #if !os(tvOS)
        ShareLink(
          "Share", item: SharedFlags(console: screen.console, query: query), preview: SharePreview("Flags"))
      #endif
      Button(screen.undoTitle.map { "Undo \($0)" as LocalizedStringKey } ?? "Undo") {
        screen.attempt(at: FlagListView.place) { console throws(FlagError) in try console.undo() }
      }
      .disabled(screen.undoTitle == nil)
      Picker("Order", selection: $query.order) {
        ForEach(FlagQuery.Order.allCases, id: \.self) { order in
          Text(LocalizedStringKey(order.title)).tag(order)
        }
      }
      Toggle("Internal flags", isOn: $query.includesInternal)
      Button("Clear overrides", role: .destructive) { screen.submit(.clearAll, at: FlagListView.place) }
        .disabled(list.clearingQuestion == nil)
    }
  }

  #if !os(tvOS)
    /// The list as text, which is written when it is shared.
    private struct SharedFlags: Transferable {
      let console: ConsoleModel
      let query: FlagQuery

      static var transferRepresentation: some TransferRepresentation {
        ProxyRepresentation(exporting: { (flags: SharedFlags) in flags.console.exportedText(flags.query) })
      }
    }
  #endif

  extension View {
    /// Keeps what is typed as it is typed, where the system would begin it with a capital.
    func withoutCapitals() -> some View {
      #if os(macOS)
        self
      #else
        textInputAutocapitalization(.never)
      #endif
    }
  }
#endif
