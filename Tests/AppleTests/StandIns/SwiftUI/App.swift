// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// MARK: - Apps, whose window a test shows on a screen

@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
  @MainActor @preconcurrency init()
}

extension App {
  @MainActor public static func main() { fatalError("there is no window: a test shows an app by Screen(app)") }
}

@MainActor @preconcurrency public protocol Scene {
  /// The content of the scene's window; Apple's has a body of other scenes.
  var window: any View { get }
}

@resultBuilder
public enum SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

public struct WindowGroup<Content: View>: Scene {
  public let window: any View
  public init(@ViewBuilder content: () -> Content) { window = content() }
}

extension Screen {
  /// Shows the window of an app.
  public convenience init(_ app: some App) { self.init(AnyView(app.body.window)) }
}

@MainActor @preconcurrency public protocol PreviewProvider {
  associatedtype Previews: View
  @ViewBuilder @MainActor @preconcurrency static var previews: Previews { get }
}

/// Apple's is of AppKit, which SwiftUI exports.
@available(iOS, unavailable)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
@available(visionOS, unavailable)
@MainActor open class NSApplication {
  public enum ActivationPolicy: Int, Sendable { case regular, accessory, prohibited }
  open class var shared: NSApplication { fatalError("there is no AppKit") }
  @discardableResult open func setActivationPolicy(_ policy: ActivationPolicy) -> Bool { false }
}

// MARK: - Tabs

@MainActor @preconcurrency public protocol TabContent<TabValue> {
  associatedtype TabValue: Hashable
  /// The view of each value; Apple's has a body of other tabs.
  var tabs: [(value: TabValue, label: any View, content: any View)] { get }
}

public struct Tab<Value: Hashable, Content: View, Label: View>: TabContent {
  public let tabs: [(value: Value, label: any View, content: any View)]
}

public struct DefaultTabLabel: Primitive {
  let title: Text
  public func place(in node: Node) { node.passes(title) }
}

extension Tab where Label == DefaultTabLabel {
  public init(
    _ title: LocalizedStringKey, systemImage: String, value: Value, @ViewBuilder content: () -> Content
  ) { tabs = [(value, DefaultTabLabel(title: Text(title)), content())] }
  @_disfavoredOverload
  public init(
    _ title: some StringProtocol, systemImage: String, value: Value, @ViewBuilder content: () -> Content
  ) { tabs = [(value, DefaultTabLabel(title: Text(title)), content())] }
}

public struct TabGroup<TabValue: Hashable>: TabContent {
  public let tabs: [(value: TabValue, label: any View, content: any View)]
}

@resultBuilder
public enum TabContentBuilder<TabValue: Hashable> {
  @MainActor
  public static func buildBlock(_ content: any TabContent<TabValue>...) -> TabGroup<TabValue> {
    TabGroup(tabs: content.flatMap { $0.tabs })
  }
}

public struct TabView<SelectionValue: Hashable, Content>: Primitive {
  private let selection: Binding<SelectionValue>
  private let tabs: [(value: SelectionValue, label: any View, content: any View)]

  /// The tabs that were shown, which keep their states.
  private final class Shown { var values: Set<SelectionValue> = [] }

  public init(
    selection: Binding<SelectionValue>, @TabContentBuilder<SelectionValue> content: () -> Content
  ) where Content == TabGroup<SelectionValue> { (self.selection, tabs) = (selection, content().tabs) }

  public func place(in node: Node) {
    let shown = node.kept(0) { Shown() }
    shown.values.insert(selection.wrappedValue)
    let contents = tabs.filter { shown.values.contains($0.value) }.map { ($0.value, node.child($0.value, $0.content)) }
    let labels = tabs.map { ($0.value, node.child([AnyHashable($0.value), AnyHashable("label")], $0.label)) }
    node.shows {
      let chosen = selection.wrappedValue
      let items = contents.first { $0.0 == chosen }?.1.items ?? []
      let bar = labels.map { value, label in
        var button = Item(.button, label.items.asLabel)
        button.activate = { selection.wrappedValue = value }
        button.traits = value == chosen ? ["selected"] : []
        return button
      }
      return items.filter { !$0.isPresented } + [Item(.line, "", bar)] + items.filter(\.isPresented)
    }
  }
}
