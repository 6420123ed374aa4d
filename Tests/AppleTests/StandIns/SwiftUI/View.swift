// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A double of the part of SwiftUI that this package uses: names, types and isolation as Apple documents them. Code for
// Apple's systems is type-checked against it, and runs in it where SwiftUI is not: bodies are evaluated, state lives by
// position, Observation is followed. It lays out nothing; a screen is a tree of text, on which a test acts.

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError("what the double places itself has no body") }
}

/// A view that the double places itself.
public protocol Primitive: View where Body == Never {
  /// Updates the node's children, and sets what it shows.
  @MainActor func place(in node: Node)
}

extension Primitive {
  public var body: Never { fatalError("what the double places itself has no body") }
}

@resultBuilder
public enum ViewBuilder {
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  @MainActor
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)>
  {
    var views: [any View] = []
    repeat views.append(each content)
    return TupleView(views)
  }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<One: View, Other: View>(first: One) -> Conditional<One, Other> { .one(first) }
  public static func buildEither<One: View, Other: View>(second: Other) -> Conditional<One, Other> { .other(second) }
  public static func buildLimitedAvailability<Content: View>(_ content: Content) -> Content { content }
}

public struct EmptyView: Primitive {
  nonisolated public init() {}
  public func place(in node: Node) { node.shows { [] } }
}

public struct TupleView<Views>: Primitive {
  private let views: [any View]
  init(_ views: [any View]) { self.views = views }
  public func place(in node: Node) {
    let nodes = views.enumerated().map { node.child($0.offset, $0.element) }
    node.shows { nodes.flatMap(\.items) }
  }
}

public enum Conditional<One: View, Other: View>: Primitive {
  case one(One), other(Other)
  public func place(in node: Node) {
    let child =
      switch self {
      case .one(let view): node.child("one", view)
      case .other(let view): node.child("other", view)
      }
    node.shows { child.items }
  }
}

extension Optional: View where Wrapped: View { public var body: Never { fatalError("never asked") } }
extension Optional: Primitive where Wrapped: View {
  public func place(in node: Node) {
    let child = map { node.child("some", $0) }
    node.shows { child?.items ?? [] }
  }
}

public struct AnyView: Primitive {
  private let view: any View
  public init(_ view: some View) { self.view = view }
  public func place(in node: Node) { node.passes(view) }
}

public struct Group<Content: View>: Primitive {
  private let content: Content
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
  public func place(in node: Node) { node.passes(content) }
}
