#if canImport(SwiftUI)
  public import FlagConsole
  import FlagDomain
  public import SwiftUI

  /// The flags of a console: found, filtered, switched, and each with its details.
  ///
  /// ```swift
  /// .sheet(isPresented: $showsFlags) { FlagConsoleView(console) }
  /// ```
  public struct FlagConsoleView: View {
    @State private var screen: ConsoleScreen

    /// Creates the view of a console.
    public init(_ console: FlagBrowser) { _screen = State(initialValue: ConsoleScreen(console)) }

    /// The list of flags.
    public var body: some View {
      NavigationStack {
        List {
          Picker("State", selection: $screen.filter) {
            Text("All").tag(FlagQuery.Filter?.none)
            ForEach(FlagQuery.Filter.allCases, id: \.self) { filter in
              Text(filter.title).tag(FlagQuery.Filter?.some(filter))
            }
          }
          ForEach(screen.list.sections) { section in
            Section(section.title) {
              ForEach(section.rows) { row in FlagRowView(row: row, screen: screen) }
            }
          }
          if screen.list.waiting > 0 {
            Text("\(screen.list.waiting) flags wait for a restart.")
          }
        }
        .searchable(text: $screen.text, prompt: "Names, keys and descriptions")
        .navigationTitle("Flags")
        .toolbar {
          #if !os(tvOS)
            ShareLink("Share", item: screen.console.exportedText(screen.query))
          #endif
          Button("Undo") { screen.change { console throws(FlagError) in try console.undo() } }
            .disabled(screen.console.undoTitle == nil)
          Button("Clear overrides", role: .destructive) {
            screen.change { console throws(FlagError) in try console.clearOverrides() }
          }
          .disabled(screen.list.overrides == 0)
        }
        .alert("That did not work", isPresented: $screen.hasProblem) {
          Button("OK") {}
        } message: {
          Text(screen.problem)
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
          VStack(alignment: .leading) {
            Text(row.title)
            Text(row.summary).font(.caption).foregroundStyle(.secondary)
            Text(row.isOverridden ? "Overridden" : row.source).font(.caption).foregroundStyle(.secondary)
          }
        }
        if let isOn = row.isOn {
          Toggle(row.title, isOn: screen.binding(of: row, isOn)).labelsHidden().disabled(!row.isEditable)
        } else {
          Text(row.value.shortText).foregroundStyle(.secondary)
        }
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

    @ViewBuilder private var clearing: some View {
      if row.isOverridden, row.isEditable {
        Button("Default") { screen.clear(row) }
      }
    }

    @ViewBuilder private var switching: some View {
      if row.isOn != nil, row.isEditable {
        if row.stateText != "overridden on" { Button("On") { screen.set(row, "true") } }
        if row.stateText != "overridden off" { Button("Off") { screen.set(row, "false") } }
      }
    }
  }

  /// A flag with what each provider says, and its editor.
  private struct FlagDetailView: View {
    let key: String
    let screen: ConsoleScreen
    @State private var text = ""

    var body: some View {
      List {
        if let detail = screen.detail(key) {
          Section("Value") {
            LabeledContent(detail.row.source, value: detail.row.value.shortText)
            LabeledContent("Type", value: detail.row.dataType.readableName)
            LabeledContent("Default", value: detail.row.defaultValue.shortText)
          }
          Section("Override") {
            TextField(detail.row.dataType.readableName, text: $text)
            Button("Override") { screen.set(detail.row, text) }
            Button("Clear the override", role: .destructive) { screen.clear(detail.row) }
              .disabled(detail.storedOverride == nil)
          }
          .disabled(!detail.row.isEditable)
          Section("Who says what") {
            ForEach(detail.answers.map(\.provider), id: \.self) { name in
              LabeledContent(name, value: detail.answerText(of: name))
            }
          }
          if let explanation = detail.explanation {
            Section("How the rule decides") { Text(explanation.summary) }
          }
        }
      }
      .navigationTitle(screen.detail(key)?.row.title ?? key)
      .onAppear { text = screen.editedText(key) }
    }
  }
#endif
