// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A stand-in for the part of SwiftUI that this package uses: names and types as Apple documents them, and no behaviour.
// It is there so that code for Apple's systems is type-checked where SwiftUI is not. Nothing of it ever runs.

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError() }
}

/// The type of every primitive of the stand-in.
public protocol Primitive: View where Body == Never {}
extension Primitive {
  public var body: Never { fatalError() }
}

@resultBuilder
public enum ViewBuilder {
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)>
  {
    TupleView()
  }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<One: View, Other: View>(first: One) -> Conditional<One, Other> { Conditional() }
  public static func buildEither<One: View, Other: View>(second: Other) -> Conditional<One, Other> { Conditional() }
}

public struct EmptyView: Primitive { nonisolated public init() {} }
public struct TupleView<Views>: Primitive { nonisolated init() {} }
public struct Conditional<One: View, Other: View>: Primitive { nonisolated init() {} }
extension Optional: View where Wrapped: View { public var body: Never { fatalError() } }

// MARK: - Data

@MainActor @preconcurrency public protocol DynamicProperty { mutating func update() }
extension DynamicProperty { public mutating func update() {} }

public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}

public struct EnvironmentValues {
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { fatalError() }
    set {}
  }
}

@propertyWrapper
public struct Environment<Value>: DynamicProperty {
  public init(_ path: KeyPath<EnvironmentValues, Value>) {}
  public var wrappedValue: Value { fatalError() }
}

@propertyWrapper
public struct State<Value>: DynamicProperty {
  public init(wrappedValue: Value) {}
  public init(initialValue: Value) {}
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { fatalError() }
}

@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
  @preconcurrency
  public init(
    get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {}
  public static func constant(_ value: Value) -> Binding<Value> { fatalError() }
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
}

extension View {
  public func environment<Value>(_ path: WritableKeyPath<EnvironmentValues, Value>, _ value: Value) -> some View {
    self
  }
}

extension Binding {
  public subscript<Member>(dynamicMember path: WritableKeyPath<Value, Member>) -> Binding<Member> { fatalError() }
}

// MARK: - Views

public struct Text: Primitive {
  nonisolated public init(_ text: some StringProtocol) {}
  public func font(_ font: Font?) -> Text { self }
  public func foregroundStyle(_ style: Color) -> Text { self }
}
public struct Image: Primitive { nonisolated public init(systemName: String) {} }
public struct Color: Sendable {
  public static let (gray, red, orange, green, teal) = (Color(), Color(), Color(), Color(), Color())
  public static let (blue, purple, pink, secondary, accentColor) = (Color(), Color(), Color(), Color(), Color())
}
public struct Font: Sendable { public static let caption = Font() }
public enum HorizontalAlignment: Sendable { case leading }
public enum HorizontalEdge: Sendable { case leading, trailing }
public struct ButtonRole: Sendable { public static let (destructive, cancel) = (ButtonRole(), ButtonRole()) }
public struct Axis: Sendable {
  public struct Set: OptionSet, Sendable {
    public let rawValue: Int8
    public init(rawValue: Int8) { self.rawValue = rawValue }
    public static let horizontal = Set(rawValue: 1)
  }
}
public struct AccessibilityTraits: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let isSelected = AccessibilityTraits(rawValue: 1)
}
public protocol PrimitiveButtonStyle {}
public struct BorderedButtonStyle: PrimitiveButtonStyle { public init() {} }
public struct BorderlessButtonStyle: PrimitiveButtonStyle { public init() {} }
extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
  public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}
extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
  public static var borderless: BorderlessButtonStyle { BorderlessButtonStyle() }
}
public struct ScrollView<Content: View>: Primitive {
  public init(_ axes: Axis.Set, @ViewBuilder content: () -> Content) {}
}

public struct List<Content: View>: Primitive { public init(@ViewBuilder content: () -> Content) {} }
public struct NavigationStack<Content: View>: Primitive { public init(@ViewBuilder root: () -> Content) {} }
public struct HStack<Content: View>: Primitive { public init(@ViewBuilder content: () -> Content) {} }
public struct VStack<Content: View>: Primitive {
  public init(alignment: HorizontalAlignment, @ViewBuilder content: () -> Content) {}
}
public struct Section<Content: View>: Primitive {
  public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) {}
}
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: Primitive {
  public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}
extension ForEach where Data.Element: Identifiable, ID == Data.Element.ID {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}
public struct Picker<Selection: Hashable, Content: View>: Primitive {
  public init(_ title: some StringProtocol, selection: Binding<Selection>, @ViewBuilder content: () -> Content) {}
}
public struct Toggle: Primitive { public init(_ title: some StringProtocol, isOn: Binding<Bool>) {} }
public struct TextField: Primitive { public init(_ title: some StringProtocol, text: Binding<String>) {} }
public struct Button<Label: View>: Primitive {
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
}
extension Button where Label == Text {
  public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {}
  public init(_ title: some StringProtocol, role: ButtonRole?, action: @escaping @MainActor () -> Void) {}
}
@available(tvOS, unavailable)
public struct ShareLink: Primitive { public init(_ title: some StringProtocol, item: String) {} }
public struct NavigationLink<Label: View, Destination: View>: Primitive {
  public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {}
}
public struct LabeledContent: Primitive {
  public init(_ title: some StringProtocol, value: some StringProtocol) {}
}

extension View {
  public func tag(_ tag: some Hashable) -> some View { self }
  public func searchable(text: Binding<String>, prompt: some StringProtocol) -> some View { self }
  public func navigationTitle(_ title: some StringProtocol) -> some View { self }
  public func toolbar(@ViewBuilder content: () -> some View) -> some View { self }
  public func alert(
    _ title: some StringProtocol, isPresented: Binding<Bool>, @ViewBuilder actions: () -> some View,
    @ViewBuilder message: () -> some View
  ) -> some View { self }
  public func disabled(_ isDisabled: Bool) -> some View { self }
  public func buttonStyle(_ style: some PrimitiveButtonStyle) -> some View { self }
  public func tint(_ color: Color?) -> some View { self }
  public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View { self }
  public func accessibilityLabel(_ label: some StringProtocol) -> some View { self }
  @available(watchOS, introduced: 6.0, deprecated: 7.0)
  public func contextMenu(@ViewBuilder menuItems: () -> some View) -> some View { self }
  public func labelsHidden() -> some View { self }
  @available(tvOS, unavailable)
  public func swipeActions(edge: HorizontalEdge, @ViewBuilder content: () -> some View) -> some View { self }
  public func onAppear(perform action: (() -> Void)?) -> some View { self }
}
