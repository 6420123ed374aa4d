#if canImport(SwiftUI)
  public import FlagComposition
  public import FlagConsole
  import FlagDomain
  public import SwiftUI

  /// A view of a console's flags, with search, filters, switches and details.
  ///
  /// ```swift
  /// .sheet(isPresented: $showsFlags) { FlagConsoleView(client, as: .sheet) }
  /// ```
  ///
  /// Words are looked up in the app's table of strings, so that an app can translate them.
  public struct FlagConsoleView: View {
    /// The place of the view in the app.
    public enum Presentation: Sendable {
      /// A screen with a navigation stack of its own.
      case screen
      /// A screen that the app pushes on a navigation stack.
      case pushed
      /// A sheet, with a button that closes it.
      case sheet
      /// A sidebar of flags beside the chosen one.
      case sidebar
      /// Sections for a list or a form of the app, which is in a navigation stack.
      case sections
    }

    @State private var kept = KeptScreen()
    @Environment(\.dismiss) private var dismiss
    private let title: String
    private let presentation: Presentation
    private let owner: ObjectIdentifier
    private let make: () -> ConsoleModel

    /// Creates the view of a client's flags, whose overrides and writable sources it changes.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - title: The title.
    ///   - presentation: The place of the view in the app.
    ///   - configure: Changes the console's settings: test users, marks, whether anything may be changed.
    public init(
      _ client: FeatureFlagClient, title: String = "Flags", as presentation: Presentation = .screen,
      configure: @escaping (inout ConsoleModel.Options) -> Void = { _ in }
    ) {
      (self.title, self.presentation, owner) = (title, presentation, ObjectIdentifier(client.registry as AnyObject))
      make = {
        var options = ConsoleModel.Options()
        configure(&options)
        return ConsoleModel(
          registry: client.registry,
          ConsoleModel.Ports(
            snapshots: client.snapshots, overriding: client.overrides, writing: client.writer,
            observing: client.observer, authenticator: client.authenticator, registry: client.registry),
          options: options)
      }
    }

    /// Creates the view of a console.
    public init(_ console: ConsoleModel, title: String = "Flags", as presentation: Presentation = .screen) {
      (self.title, self.presentation, owner) = (title, presentation, ObjectIdentifier(console))
      make = { console }
    }

    /// The list of flags.
    public var body: some View {
      let screen = kept.screen(of: owner, make)
      switch presentation {
      case .screen: NavigationStack { list(of: screen) }
      case .pushed: list(of: screen)
      case .sheet: NavigationStack { list(of: screen, close: { dismiss() }) }
      case .sidebar:
        NavigationSplitView {
          list(of: screen)
        } detail: {
          Text("Choose a flag.")
        }
      case .sections: FlagSections(screen: screen, query: FlagQuery(showsGroupRows: true))
      }
    }

    private func list(of screen: ConsoleScreen, close: (@MainActor () -> Void)? = nil) -> some View {
      FlagListView(title: title, screen: screen, close: close, query: FlagQuery(showsGroupRows: true))
    }
  }

  extension View {
    /// Sets how the consoles in this view show a flag in their lists, in place of its icon, names and description.
    public func flagLabel(@ViewBuilder _ label: @escaping @MainActor (FlagRow) -> some View) -> some View {
      environment(\.flagLabel, { row in AnyView(label(row)) })
    }
  }

  extension EnvironmentValues {
    /// The app's own look of a flag in a list; nil for the console's.
    var flagLabel: (@MainActor (FlagRow) -> AnyView)? {
      get { self[FlagLabelKey.self] }
      set { self[FlagLabelKey.self] = newValue }
    }
  }

  private struct FlagLabelKey: EnvironmentKey {
    static var defaultValue: (@MainActor (FlagRow) -> AnyView)? { nil }
  }

  /// The one screen of a view, which is made when it is first shown: views are made whenever their parents are.
  @MainActor
  private final class KeptScreen {
    private var screen: (owner: ObjectIdentifier, ConsoleScreen)?

    nonisolated init() {}

    func screen(of owner: ObjectIdentifier, _ make: () -> ConsoleModel) -> ConsoleScreen {
      if let screen, screen.owner == owner { return screen.1 }
      let made = ConsoleScreen(make())
      screen = (owner, made)
      return made
    }
  }
#endif
