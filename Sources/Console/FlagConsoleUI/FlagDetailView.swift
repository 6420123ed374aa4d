#if canImport(SwiftUI)
  import FlagConsole
  import FlagDomain
  import SwiftUI

  /// A flag with the answer of each provider, and its editor.
  struct FlagDetailView: View {
    let key: String
    let screen: ConsoleScreen

    private var place: String { "flag \(key)" }

    var body: some View {
      let detail = screen.detail(key)
      List {
        if let detail {
          flagSection(of: detail.row)
          valueSection(of: detail.row)
          overrideSection(of: detail.row)
          if let variant = detail.keptVariants.first {
            Section("Kept variant") {
              Text(variant)
              Button("Assign anew", role: .destructive) { screen.submit(.assignAnew(key: key), at: place) }
            }
          }
          sourcesSection(of: detail)
          if let definition = detail.definition { definitionSection(of: definition) }
          if offersUsers { userSection }
        } else {
          ContentUnavailableView("No such flag", systemImage: "flag.slash", description: Text(key))
        }
      }
      .navigationTitle(detail?.row.title ?? key)
      .messages(of: screen, at: place)
    }

    private func flagSection(of row: FlagRow) -> some View {
      Section("Flag") {
        LabeledContent("Key", value: row.key.name).canBeCopied()
        if !row.groups.isEmpty { LabeledContent("Path", value: row.path) }
        if !row.summary.isEmpty { Text(row.summary) }
      }
    }

    private func valueSection(of row: FlagRow) -> some View {
      Section("Value") {
        LabeledContent("Now", value: row.valueText).canBeCopied()
        LabeledContent("Type", value: row.dataType.readableName)
        LabeledContent("Default", value: row.defaultText)
        FlagTagsView(row: row, screen: screen, place: place)
        ForEach(row.errors.map(\.message), id: \.self) { message in Text(message) }
      }
    }

    private func overrideSection(of row: FlagRow) -> some View {
      Section("Override") {
        FlagEditor(row: row, value: row.storedOverride ?? row.value) { text throws(FlagError) in
          try screen.enter(.override(key: key, entering: text), at: place)
        }
        .disabled(!row.isEditable)
        if let action = row.defaultAction {
          Button("Clear the override", role: .destructive) { screen.submit(action.change, at: place) }
        }
        if let reason = row.lockReason { Text(LocalizedStringKey(reason)) }
      }
    }

    private func sourcesSection(of detail: FlagDetail) -> some View {
      Section("Sources") {
        ForEach(detail.answers.map(\.provider), id: \.self) { name in
          if detail.writableProviders.contains(name) {
            NavigationLink {
              FlagSourceView(key: key, provider: name, screen: screen)
            } label: {
              LabeledContent(name, value: detail.answerText(of: name))
            }
          } else {
            LabeledContent(name, value: detail.answerText(of: name))
          }
        }
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

    private var offersUsers: Bool {
      let console = screen.console
      return console.allowsSignIn && !(console.options.testUsers.isEmpty && console.user == nil)
    }

    private var userSection: some View {
      Section("Ask as a test user") {
        ForEach(screen.console.options.testUsers, id: \.self) { user in
          Button(user.id) { signIn(user) }
        }
        if let user = screen.console.user { Button("Sign out \(user.id)") { signIn(nil) } }
      }
    }

    private func signIn(_ user: FlagUser?) {
      screen.attempt(at: place) { console throws(FlagError) in try console.signIn(user) }
    }
  }

  /// A flag's value in one source that can be written to.
  private struct FlagSourceView: View {
    let key: String
    let provider: String
    let screen: ConsoleScreen

    private var place: String { "flag \(key) in \(provider)" }

    var body: some View {
      List {
        if let detail = screen.detail(key) {
          Section(detail.row.title) {
            LabeledContent("Value", value: detail.answerText(of: provider)).canBeCopied()
            FlagEditor(row: detail.row, value: detail.value(of: provider)) { text throws(FlagError) in
              try screen.enter(.write(key: key, entering: text, provider: provider), at: place)
            }
            if detail.removableProviders.contains(provider) {
              Button("Remove the value", role: .destructive) {
                screen.submit(.remove(key: key, provider: provider), at: place)
              }
            }
          }
        }
      }
      .navigationTitle(provider)
      .messages(of: screen, at: place)
    }
  }

  extension View {
    /// Lets people select and copy the text.
    fileprivate func canBeCopied() -> some View {
      #if os(tvOS) || os(watchOS)
        self
      #else
        textSelection(.enabled)
      #endif
    }
  }
#endif
