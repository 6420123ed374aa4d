// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// Words that are looked up in the app's own table, as literals are.
public struct LocalizedStringKey: ExpressibleByStringInterpolation {
  private var format = ""
  private var arguments: [String] = []

  public init(_ value: String) { format = value }
  public init(stringLiteral value: String) { format = value }
  public init(stringInterpolation: StringInterpolation) {
    (format, arguments) = (stringInterpolation.format, stringInterpolation.arguments)
  }

  public struct StringInterpolation: StringInterpolationProtocol {
    var format = ""
    var arguments: [String] = []
    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) { format += literal }
    public mutating func appendInterpolation(_ value: String) {
      format += "%@"
      arguments.append(value)
    }
    public mutating func appendInterpolation(_ value: Int) {
      format += "%lld"
      arguments.append("\(value)")
    }
  }

  func words(_ table: [String: String]) -> String {
    var arguments = arguments[...]
    var rest = (table[format] ?? format)[...]
    var words = ""
    while let percent = rest.firstIndex(of: "%"), let argument = arguments.popFirst() {
      words += rest[..<percent] + argument
      rest = rest[percent...].dropFirst(rest[percent...].hasPrefix("%@") ? 2 : 4)
    }
    return words + rest
  }
}

public struct Text: Primitive {
  private let words: ([String: String]) -> String
  private var traits: [String] = []
  public init(_ key: LocalizedStringKey) { words = key.words }
  @_disfavoredOverload
  public init(_ text: some StringProtocol) {
    let text = String(text)
    words = { _ in text }
  }
  public init(verbatim text: String) { words = { _ in text } }
  private func with(_ trait: String?) -> Text {
    var text = self
    text.traits += [trait].compactMap { $0 }
    return text
  }
  public func font(_ font: Font?) -> Text { self }
  public func monospaced() -> Text { self }
  public func foregroundStyle(_ style: Color) -> Text { with(style.name) }
  public func underline(_ isActive: Bool = true) -> Text { with(isActive ? "underlined" : nil) }
  public func place(in node: Node) {
    let text = words(node.environment.strings)
    let traits = traits + (node.environment.isSelectable ? ["selectable"] : [])
    node.shows {
      var item = Item(.text, text)
      item.traits = traits
      return text.isEmpty ? [] : [item]
    }
  }
}

public struct Image: Primitive {
  private let name: String
  nonisolated public init(systemName: String) { name = systemName }
  public func place(in node: Node) { node.shows { [Item(.image, name)] } }
}

public struct Label<Title: View, Icon: View>: Primitive {
  private let title: Title
  private let icon: Icon
  public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
    (self.title, self.icon) = (title(), icon())
  }
  public func place(in node: Node) { node.passes(title) }
}

extension Label where Title == Text, Icon == Image {
  public init(_ title: LocalizedStringKey, systemImage: String) {
    (self.title, icon) = (Text(title), Image(systemName: systemImage))
  }
  @_disfavoredOverload
  public init(_ title: some StringProtocol, systemImage: String) {
    (self.title, icon) = (Text(title), Image(systemName: systemImage))
  }
}

public struct Button<Label: View>: Primitive {
  private let role: ButtonRole?
  private let action: @MainActor () -> Void
  private let label: Label

  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
    (role, self.action, self.label) = (nil, action, label())
  }
  public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
    (self.role, self.action, self.label) = (role, action, label())
  }

  public func place(in node: Node) {
    let child = node.child(0, label)
    let isEnabled = node.environment.isEnabled
    node.shows {
      var button = Item(.button, child.items.asLabel)
      button.isEnabled = isEnabled
      button.activate = action
      button.traits = [role?.name].compactMap { $0 }
      return [button]
    }
  }
}

extension Button where Label == Text {
  public init(_ title: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
    self.init(action: action) { Text(title) }
  }
  @_disfavoredOverload
  public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {
    self.init(action: action) { Text(title) }
  }
  public init(_ title: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
    self.init(role: role, action: action) { Text(title) }
  }
  @_disfavoredOverload
  public init(_ title: some StringProtocol, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
    self.init(role: role, action: action) { Text(title) }
  }
}

public struct Toggle<Label: View>: Primitive {
  private let isOn: Binding<Bool>
  private let label: Label
  public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) { (self.isOn, self.label) = (isOn, label()) }
  public func place(in node: Node) {
    let child = node.child(0, label)
    let isEnabled = node.environment.isEnabled
    node.shows {
      var toggle = Item(.toggle, child.items.asLabel, value: isOn.wrappedValue ? "on" : "off")
      toggle.isEnabled = isEnabled
      toggle.activate = { isOn.wrappedValue.toggle() }
      return [toggle]
    }
  }
}

extension Toggle where Label == Text {
  public init(_ title: LocalizedStringKey, isOn: Binding<Bool>) {
    self.init(isOn: isOn) { Text(title) }
  }
  @_disfavoredOverload
  public init(_ title: some StringProtocol, isOn: Binding<Bool>) {
    self.init(isOn: isOn) { Text(title) }
  }
}

public struct Picker<Label: View, Selection: Hashable, Content: View>: Primitive {
  private let selection: Binding<Selection>
  private let label: Label
  private let content: Content

  public init(selection: Binding<Selection>, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
    (self.selection, self.label, self.content) = (selection, label(), content())
  }

  public func place(in node: Node) {
    let (label, content) = (node.child("label", label), node.child(0, content))
    let isEnabled = node.environment.isEnabled
    node.shows {
      let options = content.items
      var picker = Item(.picker, label.items.asLabel)
      picker.isEnabled = isEnabled
      // A selection that no choice has is shown as nothing, and SwiftUI logs that it is invalid.
      picker.value = options.first { $0.tag == AnyHashable(selection.wrappedValue) }.map { [$0].asLabel } ?? "nothing"
      picker.choices = options.compactMap { option in
        guard let value = option.tag?.base as? Selection else { return nil }
        return ([option].asLabel, { selection.wrappedValue = value })
      }
      return [picker]
    }
  }
}

extension Picker where Label == Text {
  public init(_ title: LocalizedStringKey, selection: Binding<Selection>, @ViewBuilder content: () -> Content) {
    (self.selection, label, self.content) = (selection, Text(title), content())
  }
  @_disfavoredOverload
  public init(_ title: some StringProtocol, selection: Binding<Selection>, @ViewBuilder content: () -> Content) {
    (self.selection, label, self.content) = (selection, Text(title), content())
  }
}

/// Text that is typed as the environment says.
@MainActor
private func field(
  _ role: Item.Role, _ title: String, _ text: Binding<String>, in node: Node
) -> [Item] {
  let environment = node.environment
  var field = Item(role, title, value: "'\(text.wrappedValue)'")
  field.isEnabled = environment.isEnabled
  field.traits = environment.traits.sorted { $0.key < $1.key }.map(\.value)
  field.enter = { text.wrappedValue = environment.typing.typed($0) }
  field.submit = environment.submitting
  field.focus = environment.focusing
  return [field]
}

public struct TextField<Label: View>: Primitive {
  private let label: Label
  private let text: Binding<String>
  public func place(in node: Node) {
    let child = node.child(0, label)
    node.shows { field(.field, child.items.asLabel, text, in: node) }
  }
}

extension TextField where Label == Text {
  public init(_ title: LocalizedStringKey, text: Binding<String>) {
    (label, self.text) = (Text(title), text)
  }
  @_disfavoredOverload
  public init(_ title: some StringProtocol, text: Binding<String>) {
    (label, self.text) = (Text(title), text)
  }
  public init(_ title: LocalizedStringKey, text: Binding<String>, axis: Axis) {
    self.init(title, text: text)
  }
  @_disfavoredOverload
  public init(_ title: some StringProtocol, text: Binding<String>, axis: Axis) {
    self.init(title, text: text)
  }
}

public struct TextEditor: Primitive {
  private let text: Binding<String>
  public init(text: Binding<String>) { self.text = text }
  public func place(in node: Node) {
    node.shows { field(.editor, "", text, in: node) }
  }
}

public struct Stepper<Label: View>: Primitive {
  private let label: Label
  private let step: (Int) -> Void
  private let value: () -> String

  public func place(in node: Node) {
    let child = node.child(0, label)
    let isEnabled = node.environment.isEnabled
    node.shows {
      var stepper = Item(.stepper, child.items.asLabel, value: value())
      stepper.isEnabled = isEnabled
      stepper.enter = { step($0 == "-" ? -1 : 1) }
      return [stepper]
    }
  }
}

extension Stepper where Label == Text {
  public init<Value: Strideable & Comparable>(
    _ title: LocalizedStringKey, value: Binding<Value>, in bounds: ClosedRange<Value>, step: Value.Stride = 1
  ) {
    label = Text(title)
    self.value = { "\(value.wrappedValue)" }
    self.step = { direction in
      let next = value.wrappedValue.advanced(by: direction > 0 ? step : 0 - step)
      if bounds.contains(next) { value.wrappedValue = next }
    }
  }
  @_disfavoredOverload
  public init<Value: Strideable & Comparable>(
    _ title: some StringProtocol, value: Binding<Value>, in bounds: ClosedRange<Value>, step: Value.Stride = 1
  ) {
    label = Text(title)
    self.value = { "\(value.wrappedValue)" }
    self.step = { direction in
      let next = value.wrappedValue.advanced(by: direction > 0 ? step : 0 - step)
      if bounds.contains(next) { value.wrappedValue = next }
    }
  }
}

@available(tvOS, unavailable)
public struct DatePicker<Label: View>: Primitive {
  private let label: Label
  private let selection: Binding<Date>

  public func place(in node: Node) {
    let child = node.child(0, label)
    let isEnabled = node.environment.isEnabled
    node.shows {
      var picker = Item(.date, child.items.asLabel, value: selection.wrappedValue.description)
      picker.isEnabled = isEnabled
      picker.choose = { selection.wrappedValue = $0 }
      return [picker]
    }
  }
}

@available(tvOS, unavailable)
extension DatePicker where Label == Text {
  public init(_ title: LocalizedStringKey, selection: Binding<Date>) {
    (label, self.selection) = (Text(title), selection)
  }
  @_disfavoredOverload
  public init(_ title: some StringProtocol, selection: Binding<Date>) {
    (label, self.selection) = (Text(title), selection)
  }
}

@available(tvOS, unavailable)
public struct ShareLink: Primitive {
  private let label: Text
  private let text: () -> String
  public init(_ title: LocalizedStringKey, item: String) {
    (label, text) = (Text(title), { item })
  }
  @_disfavoredOverload
  public init(_ title: some StringProtocol, item: String) {
    (label, text) = (Text(title), { item })
  }
  public init<Item: Transferable>(_ title: LocalizedStringKey, item: Item, preview: SharePreview) {
    (label, text) = (Text(title), { item.text })
  }
  @_disfavoredOverload
  public init<Item: Transferable>(_ title: some StringProtocol, item: Item, preview: SharePreview) {
    (label, text) = (Text(title), { item.text })
  }
  public func place(in node: Node) {
    let child = node.child(0, label)
    let isEnabled = node.environment.isEnabled
    node.shows {
      var link = Item(.share, child.items.asLabel)
      link.isEnabled = isEnabled
      link.activate = { Shared.texts.append(text()) }
      return [link]
    }
  }
}

/// The texts that were shared.
@MainActor public enum Shared { public static var texts: [String] = [] }

/// A value that can be shared: Apple's is of the module CoreTransferable, which SwiftUI exports.
public protocol Transferable: Sendable {
  associatedtype Representation: TransferRepresentation
  static var transferRepresentation: Representation { get }
}

public protocol TransferRepresentation<Item> {
  associatedtype Item: Transferable
  func text(of item: Item) -> String
}

public struct ProxyRepresentation<Item: Transferable>: TransferRepresentation {
  private let exporting: @Sendable (Item) -> String
  public init(exporting: @escaping @Sendable (Item) -> String) { self.exporting = exporting }
  public func text(of item: Item) -> String { exporting(item) }
}

extension Transferable {
  fileprivate var text: String {
    guard let representation = Self.transferRepresentation as? any TransferRepresentation<Self> else { return "" }
    return representation.text(of: self)
  }
}

public struct SharePreview {
  public init(_ title: LocalizedStringKey) {}
  @_disfavoredOverload
  public init(_ title: some StringProtocol) {}
}

public struct LabeledContent<Label: View, Content: View>: Primitive {
  private let label: Label
  private let content: Content
  public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
    (self.content, self.label) = (content(), label())
  }
  public func place(in node: Node) {
    let (label, content) = (node.child("label", label), node.child(0, content))
    node.shows {
      let items = content.items.filter { !$0.isAtScreen }
      if items.allSatisfy({ $0.role == .text }) {
        var labeled = Item(.labeled, label.items.asLabel, value: items.asLabel)
        labeled.traits = items.flatMap(\.traits)
        return [labeled]
      }
      return [Item(.line, "", label.items + items)]
    }
  }
}

extension LabeledContent where Label == Text, Content == Text {
  public init(_ title: LocalizedStringKey, value: some StringProtocol) {
    (label, content) = (Text(title), Text(value))
  }
  @_disfavoredOverload
  public init(_ title: some StringProtocol, value: some StringProtocol) {
    (label, content) = (Text(title), Text(value))
  }
}

extension LabeledContent where Label == Text {
  public init(_ title: LocalizedStringKey, @ViewBuilder content: () -> Content) {
    (label, self.content) = (Text(title), content())
  }
  @_disfavoredOverload
  public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) {
    (label, self.content) = (Text(title), content())
  }
}

public struct ContentUnavailableView: Primitive {
  private let label: Text
  private let description: Text?
  public init(_ title: LocalizedStringKey, systemImage: String, description: Text? = nil) {
    (label, self.description) = (Text(title), description)
  }
  @_disfavoredOverload
  public init(_ title: some StringProtocol, systemImage: String, description: Text? = nil) {
    (label, self.description) = (Text(title), description)
  }
  public func place(in node: Node) {
    let (label, description) = (node.child(0, label), node.child(1, description))
    node.shows { (label.items + description.items).inside(.column) }
  }
}
