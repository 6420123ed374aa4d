// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// MARK: - Layout, of which nothing is shown but what belongs together

public struct HStack<Content: View>: Primitive {
  private let content: Content
  public init(
    alignment: VerticalAlignment = .center, spacing: Double? = nil, @ViewBuilder content: () -> Content
  ) { self.content = content() }
  public func place(in node: Node) {
    let child = node.child(0, content)
    node.shows { child.items.inside(.line) }
  }
}

public struct VStack<Content: View>: Primitive {
  private let content: Content
  public init(
    alignment: HorizontalAlignment = .center, spacing: Double? = nil, @ViewBuilder content: () -> Content
  ) { self.content = content() }
  public func place(in node: Node) {
    let child = node.child(0, content)
    node.shows { child.items.inside(.column) }
  }
}

public struct ScrollView<Content: View>: Primitive {
  private let content: Content
  public init(_ axes: Axis.Set = .vertical, @ViewBuilder content: () -> Content) { self.content = content() }
  public func place(in node: Node) { node.passes(content) }
}

public struct Spacer: Primitive {
  nonisolated public init() {}
  public func place(in node: Node) { node.shows { [] } }
}

// MARK: - Lists

public struct List<Content: View>: Primitive {
  private let content: Content
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
  public func place(in node: Node) {
    let child = node.child(0, content)
    node.shows { child.items.inside(.list) }
  }
}

public struct Form<Content: View>: Primitive {
  private let content: Content
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
  public func place(in node: Node) {
    let child = node.child(0, content)
    node.shows { child.items.inside(.list) }
  }
}

@MainActor public struct Section<Parent, Content, Footer> {
  fileprivate let parent: Parent
  fileprivate let content: Content
  fileprivate let footer: Footer
}

extension Section: View where Parent: View, Content: View, Footer: View {
  public var body: Never { fatalError("what the double places itself has no body") }
}

extension Section: Primitive where Parent: View, Content: View, Footer: View {
  public init(
    @ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent, @ViewBuilder footer: () -> Footer
  ) { self.init(parent: header(), content: content(), footer: footer()) }

  public func place(in node: Node) {
    let (header, rows, footer) = (node.child("header", parent), node.child(0, content), node.child("footer", footer))
    node.shows { (rows.items + footer.items).inside(.section, header.items.asLabel) }
  }
}

extension Section where Parent == Text, Content: View, Footer == EmptyView {
  public init(_ title: LocalizedStringKey, @ViewBuilder content: () -> Content) {
    self.init(parent: Text(title), content: content(), footer: EmptyView())
  }
  @_disfavoredOverload
  public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) {
    self.init(parent: Text(title), content: content(), footer: EmptyView())
  }
}

extension Section where Parent == EmptyView, Content: View, Footer == EmptyView {
  public init(@ViewBuilder content: () -> Content) {
    self.init(parent: EmptyView(), content: content(), footer: EmptyView())
  }
}

extension Section where Parent: View, Content: View, Footer == EmptyView {
  public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {
    self.init(parent: header(), content: content(), footer: EmptyView())
  }
}

extension Section where Parent == EmptyView, Content: View, Footer: View {
  public init(@ViewBuilder content: () -> Content, @ViewBuilder footer: () -> Footer) {
    self.init(parent: EmptyView(), content: content(), footer: footer())
  }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: Primitive {
  private let data: Data
  private let id: (Data.Element) -> ID
  private let content: (Data.Element) -> Content

  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
  ) { (self.data, self.id, self.content) = (data, { $0[keyPath: id] }, content) }

  public func place(in node: Node) {
    var seen: Set<ID> = []
    let nodes = data.map { element in
      let id = id(element)
      // SwiftUI says so in its log, and shows what it likes.
      precondition(seen.insert(id).inserted, "two elements of a ForEach have the id \(id)")
      return node.child(id, content(element))
    }
    node.shows { nodes.flatMap(\.items) }
  }
}

extension ForEach where Data.Element: Identifiable, ID == Data.Element.ID {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
    self.init(data, id: \.id, content: content)
  }
}

// MARK: - Navigation

/// The screens that were pushed.
@MainActor
final class NavigationState {
  private(set) var pushed: [(link: ObjectIdentifier, view: any View)] = []
  private let node: Node
  init(_ node: Node) { self.node = node }

  func push(_ view: any View, from link: Node) {
    pushed.append((ObjectIdentifier(link), view))
    node.placeAgain()
  }

  /// Takes what a link leads to now, if it was followed.
  func renew(_ view: any View, from link: Node) {
    for index in pushed.indices where pushed[index].link == ObjectIdentifier(link) { pushed[index].view = view }
  }

  func pop() {
    guard !pushed.isEmpty else { return }
    pushed.removeLast()
    node.placeAgain()
  }
}

public struct NavigationStack<Root: View>: Primitive {
  private let root: Root
  public init(@ViewBuilder root: () -> Root) { self.root = root() }

  public func place(in node: Node) {
    let state = node.kept(0) { NavigationState(node) }
    let isNested = node.environment.stack != nil
    let nodes =
      [node.child("root", root) { $0.stack = state }]
      + state.pushed.enumerated().map { place, pushed in
        node.child(place, pushed.view) {
          $0.stack = state
          $0.dismissing = { state.pop() }
        }
      }
    node.shows {
      var stack = Item(.stack, "", nodes[nodes.count - 1].items.filter { !$0.isPresented })
      if isNested { stack.traits.append("a stack in a stack") }
      stack.activate = state.pushed.isEmpty ? nil : { state.pop() }
      return [stack] + nodes.flatMap(\.items).filter(\.isPresented)
    }
  }
}

public struct NavigationSplitView<Sidebar: View, Detail: View>: Primitive {
  private let sidebar: Sidebar
  private let detail: Detail
  public init(@ViewBuilder sidebar: () -> Sidebar, @ViewBuilder detail: () -> Detail) {
    (self.sidebar, self.detail) = (sidebar(), detail())
  }

  public func place(in node: Node) {
    let state = node.kept(0) { NavigationState(node) }
    let sidebar = node.child("sidebar", sidebar) { $0.stack = state }
    // A link of the sidebar shows beside it what it leads to.
    let beside =
      if let chosen = state.pushed.last {
        node.child(ObjectIdentifier(type(of: chosen.view)), chosen.view) { $0.stack = state }
      } else {
        node.child("detail", detail)
      }
    node.shows {
      let items = sidebar.items + [Item(.text, "|")] + beside.items
      return [Item(.stack, "", items.filter { !$0.isPresented })] + items.filter(\.isPresented)
    }
  }
}

public struct NavigationLink<Label: View, Destination: View>: Primitive {
  private let destination: Destination
  private let label: Label
  public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {
    (self.destination, self.label) = (destination(), label())
  }
  public func place(in node: Node) {
    let child = node.child(0, label)
    let stack = node.environment.stack
    let isEnabled = node.environment.isEnabled && stack != nil
    stack?.renew(destination, from: node)
    node.shows {
      var link = Item(.link, child.items.asLabel, child.items.filter { !$0.isAtScreen })
      link.isEnabled = isEnabled
      link.activate = { [destination] in stack?.push(destination, from: node) }
      return [link]
    }
  }
}

extension NavigationLink where Label == Text {
  public init(_ title: LocalizedStringKey, @ViewBuilder destination: () -> Destination) {
    (self.destination, label) = (destination(), Text(title))
  }
  @_disfavoredOverload
  public init(_ title: some StringProtocol, @ViewBuilder destination: () -> Destination) {
    (self.destination, label) = (destination(), Text(title))
  }
}

public struct Menu<Label: View, Content: View>: Primitive {
  private let content: Content
  private let label: Label
  public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
    (self.content, self.label) = (content(), label())
  }
  public func place(in node: Node) {
    let (label, content) = (node.child("label", label), node.child(0, content))
    node.shows { content.items.inside(.menu, label.items.asLabel) }
  }
}

extension Menu where Label == Text {
  public init(_ title: LocalizedStringKey, @ViewBuilder content: () -> Content) {
    (self.content, label) = (content(), Text(title))
  }
  @_disfavoredOverload
  public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) {
    (self.content, label) = (content(), Text(title))
  }
}
