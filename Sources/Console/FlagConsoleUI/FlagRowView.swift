#if canImport(SwiftUI)
  import FlagConsole
  import FlagDomain
  import SwiftUI

  /// A group in the list, which leads to a list of its own.
  struct FlagGroupRowView: View {
    let row: FlagGroupRow
    let screen: ConsoleScreen
    let includesInternal: Bool

    var body: some View {
      NavigationLink {
        FlagListView(
          title: row.title, screen: screen, close: nil,
          query: FlagQuery(group: row.name.path, showsGroupRows: true, includesInternal: includesInternal))
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
  struct FlagRowView: View {
    @Environment(\.flagLabel) private var ownLabel
    let row: FlagRow
    let screen: ConsoleScreen

    private var place: String { "row \(row.key)" }

    var body: some View {
      VStack(alignment: .leading) {
        HStack {
          NavigationLink {
            FlagDetailView(key: row.key.name, screen: screen)
          } label: {
            if let ownLabel { ownLabel(row) } else { label }
          }
          if let action = row.defaultAction {
            Button {
              screen.submit(action.change, at: place)
            } label: {
              Image(systemName: "gobackward")
            }
            .buttonStyle(.borderless)
            .accessibilityLabel(LocalizedStringKey(action.title))
          }
          value
        }
        FlagTagsView(row: row, screen: screen, place: place)
      }
      #if !os(tvOS)
        .swipeActions(edge: .leading) { clearing }
        .swipeActions(edge: .trailing) { switching }
      #endif
      // A remote control cannot swipe, and a pointer would rather click.
      #if !os(watchOS)
        .contextMenu {
          clearing
          switching
        }
      #endif
      .messages(of: screen, at: place)
    }

    private var label: some View {
      HStack {
        Image(systemName: FlagSymbol.named(row.metadata.presentation.icon ?? row.dataType.icon))
        VStack(alignment: .leading) {
          Text(row.title).foregroundStyle(row.color).underline(row.isOverridden)
          Text(row.key.name).font(.caption).foregroundStyle(Color.secondary)
          Text(row.summary).font(.caption).foregroundStyle(Color.secondary)
        }
      }
    }

    @ViewBuilder private var value: some View {
      if let isOn = row.isOn {
        Toggle(
          row.title,
          isOn: Binding {
            isOn
          } set: { @MainActor isOn in
            screen.submit(.override(key: row.key.name, entering: isOn ? "true" : "false"), at: place)
          }
        )
        .labelsHidden().disabled(!row.isEditable)
      } else {
        Text(row.valueText).foregroundStyle(Color.secondary)
      }
    }

    @ViewBuilder private var clearing: some View {
      if let action = row.defaultAction {
        Button(LocalizedStringKey(action.title)) { screen.submit(action.change, at: place) }
      }
    }

    private var switching: some View {
      ForEach(row.switchActions) { action in
        Button(LocalizedStringKey(action.title)) { screen.submit(action.change, at: place) }
      }
    }
  }

  /// The app's mark of a flag, the source of its value, and its tags, which clear or explain what they name.
  struct FlagTagsView: View {
    let row: FlagRow
    let screen: ConsoleScreen
    let place: String

    var body: some View {
      HStack {
        if let mark = row.mark { Text(mark.label).font(.caption).foregroundStyle(mark.tint.color) }
        Text(LocalizedStringKey(row.source)).font(.caption).foregroundStyle(Color.secondary)
        ForEach(row.tags) { tag in
          Button {
            tap(tag)
          } label: {
            Text(LocalizedStringKey(tag.title)).font(.caption).foregroundStyle(tag.color)
          }
          .buttonStyle(.borderless)
        }
      }
    }

    private func tap(_ tag: FlagTag) {
      if tag == .overridden, let action = row.defaultAction {
        screen.submit(action.change, at: place)
      } else {
        screen.say(tag.title, row.explanation(of: tag), at: place)
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

  extension FlagRow {
    /// Green for a flag that is on, red for one that is off.
    fileprivate var color: Color { isOn.map { $0 ? .green : .red } ?? .primary }
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
