#if canImport(SwiftUI)
  public import FlagConsole
  import FlagDomain
  public import SwiftUI

  /// A view of a console's flags, with search, filters, switches and details.
  ///
  /// ```swift
  /// .sheet(isPresented: $showsFlags) { FlagConsoleView(console) }
  /// ```
  public struct FlagConsoleView: View {
    @State private var screen: ConsoleScreen

    /// Creates the view of a console.
    public init(_ console: ConsoleModel) { _screen = State(initialValue: ConsoleScreen(console)) }

    /// The list of flags.
    public var body: some View {
      NavigationStack { FlagListView(title: "Flags", screen: screen, query: FlagQuery(showsGroupRows: true)) }
        .alert(screen.pending?.question.title ?? "", isPresented: $screen.isAsking) {
          Button("Cancel", role: .cancel) {}
          Button(screen.pending?.question.confirmation ?? "") { screen.proceed() }
        } message: {
          Text(screen.pending?.question.message ?? "")
        }
        .alert("That did not work", isPresented: $screen.hasProblem) {
          Button("OK") {}
        } message: {
          Text(screen.problem)
        }
    }
  }

  /// A list of flags: all of them, or those of a group that has a list of its own.
  private struct FlagListView: View {
    let title: String
    let screen: ConsoleScreen
    @State var query: FlagQuery

    var body: some View {
      let list = screen.list(query)
      List {
        filters
        ForEach(list.sections) { section in
          Section(section.title) {
            ForEach(section.items) { item in
              switch item {
              case .flag(let row): FlagRowView(row: row, screen: screen)
              case .group(let row): FlagGroupRowView(row: row, screen: screen)
              }
            }
          }
        }
        if let notice = list.restartNotice { Text(notice) }
      }
      .searchable(text: $query.text, prompt: "Names, keys and descriptions")
      .navigationTitle(title)
      .toolbar {
        #if !os(tvOS)
          ShareLink("Share", item: screen.console.exportedText(query))
        #endif
        Button("Undo") { screen.attempt { console throws(FlagError) in try console.undo() } }
          .disabled(screen.console.undoTitle == nil)
        Button("Clear overrides", role: .destructive) { screen.submit(.clearAll) }
          .disabled(list.clearingQuestion == nil)
      }
    }

    @ViewBuilder private var filters: some View {
      Picker("State", selection: $query.filter) {
        Text("All").tag(FlagQuery.Filter?.none)
        ForEach(FlagQuery.Filter.allCases, id: \.self) { filter in
          Text(filter.title).tag(FlagQuery.Filter?.some(filter))
        }
      }
      ScrollView(.horizontal) {
        HStack {
          ForEach(screen.console.providers, id: \.self) { name in
            Button(name) { query.toggle(provider: name) }
              .buttonStyle(.bordered)
              .tint(query.providers.contains(name) ? Color.accentColor : Color.secondary)
              .accessibilityAddTraits(query.providers.contains(name) ? .isSelected : [])
          }
        }
      }
    }
  }

  /// A group in the list, which leads to a list of its own.
  private struct FlagGroupRowView: View {
    let row: FlagGroupRow
    let screen: ConsoleScreen

    var body: some View {
      NavigationLink {
        FlagListView(title: row.title, screen: screen, query: FlagQuery(group: row.name.path, showsGroupRows: true))
      } label: {
        HStack {
          Image(systemName: FlagSymbol.named(row.icon ?? "folder"))
          VStack(alignment: .leading) {
            Text(row.title)
            Text(row.summary).font(.caption).foregroundStyle(Color.secondary)
            Text(row.countText).font(.caption).foregroundStyle(Color.secondary)
          }
        }
      }
    }
  }

  /// A flag in the list.
  private struct FlagRowView: View {
    let row: FlagRow
    let screen: ConsoleScreen

    var body: some View {
      HStack {
        NavigationLink {
          FlagDetailView(key: row.key.name, screen: screen)
        } label: {
          label
        }
        if let action = row.defaultAction {
          Button {
            screen.submit(action.change)
          } label: {
            Image(systemName: "gobackward")
          }
          .buttonStyle(.borderless)
          .accessibilityLabel(action.title)
        }
        value
      }
      // A remote control cannot swipe.
      #if os(tvOS)
        .contextMenu {
          clearing
          switching
        }
      #else
        .swipeActions(edge: .leading) { clearing }
        .swipeActions(edge: .trailing) { switching }
      #endif
    }

    private var label: some View {
      HStack {
        Image(systemName: FlagSymbol.named(row.metadata.presentation.icon ?? row.dataType.icon))
        VStack(alignment: .leading) {
          Text(row.title)
          Text(row.key.name).font(.caption).foregroundStyle(Color.secondary)
          Text(row.summary).font(.caption).foregroundStyle(Color.secondary)
          FlagTagsView(row: row)
        }
      }
    }

    @ViewBuilder private var value: some View {
      if let isOn = row.isOn {
        Toggle(row.title, isOn: screen.binding(of: row, isOn)).labelsHidden().disabled(!row.isEditable)
      } else {
        Text(row.valueText).foregroundStyle(Color.secondary)
      }
    }

    @ViewBuilder private var clearing: some View {
      if let action = row.defaultAction {
        Button(action.title) { screen.submit(action.change) }
      }
    }

    private var switching: some View {
      ForEach(row.switchActions) { action in
        Button(action.title) { screen.submit(action.change) }
      }
    }
  }
#endif
