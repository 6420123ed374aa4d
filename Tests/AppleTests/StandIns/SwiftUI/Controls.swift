// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct Text: Primitive {
  private let text: String
  private var color: Color?
  nonisolated public init(_ text: some StringProtocol) { self.text = String(text) }
  public func font(_ font: Font?) -> Text { self }
  public func foregroundStyle(_ style: Color) -> Text {
    var text = self
    text.color = style
    return text
  }
  public func place(in node: Node) {
    node.shows {
      var item = Item(.text, text)
      item.traits = [color?.name].compactMap { $0 }
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
  public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {
    self.init(action: action) { Text(title) }
  }
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
  public init(_ title: some StringProtocol, isOn: Binding<Bool>) { self.init(isOn: isOn) { Text(title) } }
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
  public init(_ title: some StringProtocol, selection: Binding<Selection>, @ViewBuilder content: () -> Content) {
    (self.selection, label, self.content) = (selection, Text(title), content())
  }
}

/// Text that is typed as the environment says.
@MainActor
private func field(_ role: Item.Role, _ title: String, _ text: Binding<String>, in node: Node) -> [Item] {
  let environment = node.environment
  var field = Item(role, title, value: "'\(text.wrappedValue)'")
  field.isEnabled = environment.isEnabled
  field.traits = environment.traits.sorted { $0.key < $1.key }.map(\.value)
  field.enter = { text.wrappedValue = environment.typing.typed($0) }
  field.submit = environment.submitting
  return [field]
}

public struct TextField: Primitive {
  private let title: String
  private let text: Binding<String>
  public init(_ title: some StringProtocol, text: Binding<String>) { (self.title, self.text) = (String(title), text) }
  public init(_ title: some StringProtocol, text: Binding<String>, axis: Axis) { self.init(title, text: text) }
  public func place(in node: Node) { node.shows { field(.field, title, text, in: node) } }
}

public struct TextEditor: Primitive {
  private let text: Binding<String>
  public init(text: Binding<String>) { self.text = text }
  public func place(in node: Node) { node.shows { field(.editor, "", text, in: node) } }
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
public struct ShareLink: Primitive {
  private let title: String
  private let text: () -> String
  public init(_ title: some StringProtocol, item: String) { (self.title, text) = (String(title), { item }) }
  public init<Item: Transferable>(_ title: some StringProtocol, item: Item, preview: SharePreview) {
    (self.title, text) = (String(title), { item.text })
  }
  public func place(in node: Node) {
    let isEnabled = node.environment.isEnabled
    node.shows {
      var link = Item(.share, title)
      link.isEnabled = isEnabled
      link.activate = { Shared.texts.append(text()) }
      return [link]
    }
  }
}

/// What was shared.
@MainActor public enum Shared { public internal(set) static var texts: [String] = [] }

/// What can be shared: Apple's is of the module CoreTransferable, which SwiftUI exports.
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

public struct SharePreview { public init(_ title: some StringProtocol) {} }

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
        return [Item(.labeled, label.items.asLabel, value: items.asLabel)]
      }
      return [Item(.line, "", label.items + items)]
    }
  }
}

extension LabeledContent where Label == Text, Content == Text {
  public init(_ title: some StringProtocol, value: some StringProtocol) { (label, content) = (Text(title), Text(value)) }
}

extension LabeledContent where Label == Text {
  public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) {
    (label, self.content) = (Text(title), content())
  }
}

public struct ContentUnavailableView: Primitive {
  private let texts: [String]
  public init(_ title: some StringProtocol, systemImage: String, description: Text? = nil) {
    texts = [String(title)]
    self.description = description
  }
  private let description: Text?
  public func place(in node: Node) {
    let child = node.child(0, description)
    node.shows { [Item(.column, "", texts.map { Item(.text, $0) } + child.items)] }
  }
}
