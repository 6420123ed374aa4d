// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A view whose items, or whose environment, are changed.
private struct Changed<Content: View>: Primitive {
  let content: Content
  var environment: (inout EnvironmentValues) -> Void = { _ in }
  var items: (inout Item) -> Void = { _ in }

  func place(in node: Node) {
    let child = node.child(0, content, environment)
    node.shows {
      child.items.map { item in
        guard !item.isAtScreen else { return item }
        var item = item
        items(&item)
        return item
      }
    }
  }
}

/// A view with others beside it, which the screen shows elsewhere.
private struct Accompanied<Content: View, Other: View>: Primitive {
  let content: Content
  let other: Other?
  var environment: (inout EnvironmentValues) -> Void = { _ in }
  let items: ([Item], [Item]) -> [Item]

  func place(in node: Node) {
    let (child, beside) = (node.child(0, content), other.map { node.child("beside", $0, environment) })
    node.shows { items(child.items, beside?.items ?? []) }
  }
}

private struct Appearing<Content: View>: Primitive {
  let content: Content
  let appear: (() -> Void)?
  let disappear: (() -> Void)?

  private final class Once { var isDone = false }

  func place(in node: Node) {
    let once = node.kept(0) { Once() }
    node.passes(content)
    if let disappear { node.disappearing = disappear }
    guard !once.isDone else { return }
    once.isDone = true
    appear?()
  }
}

private struct Observing<Content: View, Value: Equatable>: Primitive {
  let content: Content
  let value: Value
  let action: (Value, Value) -> Void

  private final class Last {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  func place(in node: Node) {
    let last = node.kept(0) { Last(value) }
    node.passes(content)
    guard last.value != value else { return }
    let old = last.value
    last.value = value
    action(old, value)
  }
}

// MARK: - Environment, and what views say of themselves

extension View {
  public func environment<Value>(_ path: WritableKeyPath<EnvironmentValues, Value>, _ value: Value) -> some View {
    Changed(content: self, environment: { $0[keyPath: path] = value })
  }
  public func disabled(_ isDisabled: Bool) -> some View {
    Changed(content: self, environment: { $0.isEnabled = $0.isEnabled && !isDisabled })
  }
  public func tag(_ tag: some Hashable) -> some View { Changed(content: self, items: { $0.tag = AnyHashable(tag) }) }
  public func tint(_ color: Color?) -> some View { self }
  public func font(_ font: Font?) -> some View { self }
  public func foregroundStyle(_ style: Color) -> some View {
    Changed(content: self, items: { $0.traits.append(style.name) })
  }
  public func underline(_ isActive: Bool = true) -> some View {
    Changed(content: self, items: { if isActive { $0.traits.append("underlined") } })
  }
  public func sensoryFeedback(_ feedback: SensoryFeedback, trigger: some Equatable) -> some View {
    Observing(content: self, value: AnyHashable("\(trigger)"), action: { _, _ in Felt.count += 1 })
  }
  public func buttonStyle(_ style: some PrimitiveButtonStyle) -> some View { self }
  public func labelsHidden() -> some View { Changed(content: self, items: { $0.isLabelHidden = true }) }
  public func accessibilityLabel(_ label: LocalizedStringKey) -> some View {
    let label = Text(label)
    return Accompanied(content: self, other: label) { items, words in
      items.map { item in
        var item = item
        if !item.isAtScreen { item.label = words.asLabel }
        return item
      }
    }
  }
  @_disfavoredOverload
  public func accessibilityLabel(_ label: some StringProtocol) -> some View {
    let label = Text(label)
    return Accompanied(content: self, other: label) { items, words in
      items.map { item in
        var item = item
        if !item.isAtScreen { item.label = words.asLabel }
        return item
      }
    }
  }
  public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View {
    Changed(content: self, items: { if traits.contains(.isSelected) { $0.traits.append("selected") } })
  }
}

// MARK: - Typing

/// The changes that a phone makes to what is typed.
struct Typing {
  var capitalizes = true
  /// Whether the keyboard has no curly quotes and no letter that begins a sentence.
  var isPlain = false

  func typed(_ text: String) -> String {
    var text = text
    if !isPlain {
      var isOpen = false
      text = text.reduce(into: "") { result, character in
        guard character == "\"" else { return result.append(character) }
        isOpen.toggle()
        result.append(isOpen ? "“" : "”")
      }
    }
    return capitalizes && !isPlain ? text.prefix(1).uppercased() + text.dropFirst() : text
  }
}

/// The closure that is called when a field is entered or left.
private struct FocusingKey: EnvironmentKey { static var defaultValue: ((Bool) -> Void)? { nil } }
private struct StringsKey: EnvironmentKey { static var defaultValue: [String: String] { [:] } }
private struct SelectableKey: EnvironmentKey { static var defaultValue: Bool { false } }
private struct TypingKey: EnvironmentKey { static var defaultValue: Typing { Typing() } }
private struct SubmittingKey: EnvironmentKey { static var defaultValue: (() -> Void)? { nil } }

extension EnvironmentValues {
  var typing: Typing {
    get { self[TypingKey.self] }
    set { self[TypingKey.self] = newValue }
  }
  var focusing: ((Bool) -> Void)? {
    get { self[FocusingKey.self] }
    set { self[FocusingKey.self] = newValue }
  }
  /// The app's table of words.
  var strings: [String: String] {
    get { self[StringsKey.self] }
    set { self[StringsKey.self] = newValue }
  }
  var isSelectable: Bool {
    get { self[SelectableKey.self] }
    set { self[SelectableKey.self] = newValue }
  }
  var submitting: (() -> Void)? {
    get { self[SubmittingKey.self] }
    set { self[SubmittingKey.self] = newValue }
  }
}

extension View {
  public func autocorrectionDisabled(_ disable: Bool = true) -> some View {
    self
  }
  @available(macOS, unavailable)
  public func textInputAutocapitalization(_ capitals: TextInputAutocapitalization?) -> some View {
    Changed(content: self, environment: { $0.typing.capitalizes = capitals != .never })
  }
  @available(macOS, unavailable)
  @available(watchOS, unavailable)
  public func keyboardType(_ type: UIKeyboardType) -> some View {
    Changed(content: self) { values in
      values.typing.isPlain = type != .default
      values.traits["keyboard"] = type == .default ? nil : "\(type) keyboard"
    }
  }
  public func focused(_ binding: FocusState<Bool>.Binding) -> some View {
    Changed(content: self, environment: { $0.focusing = { binding.wrappedValue = $0 } })
  }
  @available(tvOS, unavailable)
  @available(watchOS, unavailable)
  public func textSelection(_ selectability: some TextSelectability) -> some View {
    Changed(content: self, environment: { $0.isSelectable = true })
  }
  public func onSubmit(_ action: @escaping () -> Void) -> some View {
    Changed(content: self, environment: { $0.submitting = action })
  }
}

public protocol TextSelectability {}
public struct EnabledTextSelectability: TextSelectability {}
extension TextSelectability where Self == EnabledTextSelectability {
  public static var enabled: EnabledTextSelectability { EnabledTextSelectability() }
}

// MARK: - What the screen shows

extension View {
  public func navigationTitle(_ title: LocalizedStringKey) -> some View {
    Accompanied(content: self, other: Text(title)) { items, title in [Item(.title, title.asLabel)] + items }
  }
  @_disfavoredOverload
  public func navigationTitle(_ title: some StringProtocol) -> some View {
    Accompanied(content: self, other: Text(title)) { items, title in [Item(.title, title.asLabel)] + items }
  }
  public func searchable(text: Binding<String>, prompt: LocalizedStringKey) -> some View {
    Accompanied(content: self, other: Text(prompt)) { items, prompt in
      var search = Item(.search, prompt.asLabel, value: "'\(text.wrappedValue)'")
      search.enter = { text.wrappedValue = $0 }
      return [search] + items
    }
  }
  @_disfavoredOverload
  public func searchable(text: Binding<String>, prompt: some StringProtocol) -> some View {
    Accompanied(content: self, other: Text(prompt)) { items, prompt in
      var search = Item(.search, prompt.asLabel, value: "'\(text.wrappedValue)'")
      search.enter = { text.wrappedValue = $0 }
      return [search] + items
    }
  }
  public func toolbar(@ViewBuilder content: () -> some View) -> some View {
    Accompanied(content: self, other: content()) { items, bar in bar.inside(.toolbar) + items }
  }
  public func alert(
    _ title: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: () -> some View,
    @ViewBuilder message: () -> some View
  ) -> some View {
    let content = isPresented.wrappedValue ? TupleView<Void>([Text(title), message(), actions()]) : nil
    return Accompanied(content: self, other: content) { items, inside in
      guard content != nil else { return items }
      return items + [
        Item(
          .alert, "",
          inside.map { item in
            var item = item
            // The alert is gone before its button acts, which may ask for another.
            if let action = item.activate {
              item.activate = {
                isPresented.wrappedValue = false
                action()
              }
            }
            return item
          })
      ]
    }
  }
  @_disfavoredOverload
  public func alert(
    _ title: some StringProtocol, isPresented: Binding<Bool>, @ViewBuilder actions: () -> some View,
    @ViewBuilder message: () -> some View
  ) -> some View {
    let content = isPresented.wrappedValue ? TupleView<Void>([Text(title), message(), actions()]) : nil
    return Accompanied(content: self, other: content) { items, inside in
      guard content != nil else { return items }
      return items + [
        Item(
          .alert, "",
          inside.map { item in
            var item = item
            // The alert is gone before its button acts, which may ask for another.
            if let action = item.activate {
              item.activate = {
                isPresented.wrappedValue = false
                action()
              }
            }
            return item
          })
      ]
    }
  }
  public func sheet(
    isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> some View
  ) -> some View {
    let dismiss = {
      isPresented.wrappedValue = false
      onDismiss?()
    }
    return Accompanied(content: self, other: isPresented.wrappedValue ? content() : nil) { values in
      (values.stack, values.dismissing) = (nil, dismiss)
    } items: { items, inside in
      guard isPresented.wrappedValue else { return items }
      var sheet = Item(.sheet, "", inside)
      sheet.activate = dismiss
      return items + [sheet]
    }
  }
  @available(tvOS, unavailable)
  public func swipeActions(
    edge: HorizontalEdge = .trailing, allowsFullSwipe: Bool = true, @ViewBuilder content: () -> some View
  ) -> some View {
    Accompanied(content: self, other: content()) { items, actions in
      items.map { item in
        var item = item
        if !item.isAtScreen { item.swipes[edge, default: []] += actions }
        return item
      }
    }
  }
  @available(watchOS, introduced: 6.0, deprecated: 7.0)
  public func contextMenu(@ViewBuilder menuItems: () -> some View) -> some View {
    Accompanied(content: self, other: menuItems()) { items, menu in
      items.map { item in
        var item = item
        if !item.isAtScreen { item.menu += menu }
        return item
      }
    }
  }
}

// MARK: - Life

extension View {
  public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    Appearing(content: self, appear: action, disappear: nil)
  }
  public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
    Appearing(content: self, appear: nil, disappear: action)
  }
  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false, _ action: @escaping (Value, Value) -> Void
  ) -> some View { Observing(content: self, value: value, action: action) }
  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false, _ action: @escaping () -> Void
  ) -> some View { Observing(content: self, value: value, action: { _, _ in action() }) }
}

// MARK: - Values

public struct Color: Sendable {
  let name: String
  public static let (gray, red, orange) = (Color(name: "gray"), Color(name: "red"), Color(name: "orange"))
  public static let (green, teal, blue) = (Color(name: "green"), Color(name: "teal"), Color(name: "blue"))
  public static let (purple, pink) = (Color(name: "purple"), Color(name: "pink"))
  public static let (primary, secondary) = (Color(name: "primary"), Color(name: "secondary"))
  public static let accentColor = Color(name: "accent")
}
public struct SensoryFeedback: Sendable { public static let success = SensoryFeedback() }
/// The number of times that the device was felt.
@MainActor public enum Felt { public internal(set) static var count = 0 }
public struct Font: Sendable { public static let (caption, headline) = (Font(), Font()) }
public enum HorizontalAlignment: Sendable { case leading, center, trailing }
public enum VerticalAlignment: Sendable { case top, center, bottom }
public enum HorizontalEdge: Sendable { case leading, trailing }
public struct ButtonRole: Sendable {
  let name: String
  public static let (destructive, cancel) = (ButtonRole(name: "destructive"), ButtonRole(name: "cancel"))
}
public enum Axis: Sendable {
  case horizontal, vertical
  public struct Set: OptionSet, Sendable {
    public let rawValue: Int8
    public init(rawValue: Int8) { self.rawValue = rawValue }
    public static let horizontal = Set(rawValue: 1)
    public static let vertical = Set(rawValue: 2)
  }
}
public struct AccessibilityTraits: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let isSelected = AccessibilityTraits(rawValue: 1)
}
@available(macOS, unavailable)
public struct TextInputAutocapitalization: Equatable, Sendable {
  private let kind: Int
  public static let (never, sentences) = (Self(kind: 0), Self(kind: 1))
}
/// Apple's is of UIKit, which SwiftUI exports.
@available(macOS, unavailable)
@available(watchOS, unavailable)
public enum UIKeyboardType: Sendable { case `default`, asciiCapable, numbersAndPunctuation, numberPad, decimalPad }
public protocol PrimitiveButtonStyle {}
public struct BorderedButtonStyle: PrimitiveButtonStyle { public init() {} }
public struct BorderlessButtonStyle: PrimitiveButtonStyle { public init() {} }
extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
  public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}
extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
  public static var borderless: BorderlessButtonStyle { BorderlessButtonStyle() }
}
