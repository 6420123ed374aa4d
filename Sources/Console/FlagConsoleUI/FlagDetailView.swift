#if canImport(SwiftUI)
  import FlagConsole
  import FlagDomain
  import FlagSupport
  import SwiftUI

  /// A flag with the answer of each provider, and its editor.
  struct FlagDetailView: View {
    let key: String
    let screen: ConsoleScreen
    @State private var text = ""

    var body: some View {
      List {
        if let detail = screen.detail(key) {
          flagSection(of: detail.row)
          valueSection(of: detail)
          overrideSection(of: detail).disabled(!detail.row.isEditable)
          if let reason = detail.row.lockReason { Text(reason) }
          if let variant = detail.keptVariants.first {
            Section("Kept variant") {
              Text(variant)
              Button("Assign anew", role: .destructive) { screen.submit(.assignAnew(key: key)) }
            }
          }
          Section("Sources") {
            ForEach(detail.answers.map(\.provider), id: \.self) { name in
              LabeledContent(name, value: detail.answerText(of: name))
            }
          }
          if let definition = detail.definition { definitionSection(of: definition) }
          if screen.console.allowsSignIn { userSection }
        }
      }
      .navigationTitle(screen.detail(key)?.row.title ?? key)
      .onAppear { text = screen.editedText(key) }
    }

    private func flagSection(of row: FlagRow) -> some View {
      Section("Flag") {
        LabeledContent("Key", value: row.key.name)
        if !row.groups.isEmpty { LabeledContent("Path", value: row.path) }
        if !row.summary.isEmpty { Text(row.summary) }
      }
    }

    private func valueSection(of detail: FlagDetail) -> some View {
      Section("Value") {
        LabeledContent(detail.row.source, value: detail.row.valueText)
        LabeledContent("Type", value: detail.row.dataType.readableName)
        LabeledContent("Default", value: detail.row.defaultText)
        FlagTagsView(row: detail.row)
        ForEach(detail.row.errors.map(\.message), id: \.self) { message in Text(message) }
      }
    }

    private func definitionSection(of definition: DefinitionSummary) -> some View {
      Section("Definition") {
        LabeledContent("State", value: definition.state)
        LabeledContent("Default variant", value: definition.defaultVariant ?? "none")
        if let rule = definition.rule { Text(rule) }
        if let explanation = definition.explanation { Text(explanation).foregroundStyle(Color.secondary) }
      }
    }

    private var userSection: some View {
      Section("Ask as a test user") {
        ForEach(screen.console.options.testUsers, id: \.self) { user in
          Button(user.id) { screen.attempt { console throws(FlagError) in try console.signIn(user) } }
        }
        if let user = screen.console.user {
          Button("Sign out \(user.id)") { screen.attempt { console throws(FlagError) in try console.signIn(nil) } }
        }
      }
    }

    private func overrideSection(of detail: FlagDetail) -> some View {
      Section("Override") {
        editor(of: detail.row)
        Button("Override") { screen.submit(.override(key: key, entering: text)) }
        if detail.row.offersNone {
          Button("Override with none") { screen.submit(.override(key: key, entering: nil)) }
        }
        Button("Clear the override", role: .destructive) { screen.submit(.clear(key: key)) }
          .disabled(detail.row.defaultAction == nil)
      }
    }

    @ViewBuilder private func editor(of row: FlagRow) -> some View {
      if row.control.options.isEmpty {
        TextField(row.dataType.readableName, text: $text)
      } else {
        Picker(row.dataType.readableName, selection: $text) {
          ForEach(row.control.options, id: \.self) { value in
            Text(row.choiceText(of: value)).tag(row.control.text(of: value))
          }
        }
      }
    }
  }

  /// The app's mark of a flag, the source of its value, and its tags.
  struct FlagTagsView: View {
    let row: FlagRow

    var body: some View {
      HStack {
        if let mark = row.mark { Text(mark.label).font(.caption).foregroundStyle(mark.tint.color) }
        Text(row.source).font(.caption).foregroundStyle(Color.secondary)
        ForEach(row.tags) { tag in Text(tag.title).font(.caption).foregroundStyle(tag.color) }
      }
    }
  }

  /// The system symbols for icon names; an app's own icon names are used as symbol names.
  enum FlagSymbol {
    private static let names = [
      "switch": "switch.2", "number": "number", "text": "textformat", "list": "list.bullet", "braces": "curlybraces",
      "grid": "square.grid.2x2",
    ]

    static func named(_ name: String) -> String { names[name] ?? name }
  }

  extension FlagMark.Tint {
    /// The system color with the same name.
    fileprivate var color: Color {
      switch self {
      case .gray: .gray
      case .red: .red
      case .orange: .orange
      case .green: .green
      case .teal: .teal
      case .blue: .blue
      case .purple: .purple
      case .pink: .pink
      }
    }
  }

  extension FlagTag {
    fileprivate var color: Color {
      switch self {
      case .overridden, .waiting: .orange
      case .expired, .failing: .red
      case .locked: .secondary
      }
    }
  }
#endif
