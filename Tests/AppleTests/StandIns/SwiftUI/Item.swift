import Foundation

/// A part of what a screen shows: a piece of text, a control, or a part of the screen with what is in it.
public struct Item {
  /// The kind of an item, named as the view is that shows it.
  public enum Role: String {
    case text = "Text", image = "Image", button = "Button", link = "NavigationLink", toggle = "Toggle"
    case picker = "Picker", field = "TextField", editor = "TextEditor", stepper = "Stepper", share = "ShareLink"
    case date = "DatePicker"
    case labeled = "LabeledContent", line = "HStack", column = "VStack", list = "List", section = "Section"
    case menu = "Menu", stack = "NavigationStack"
    case title = "navigationTitle", toolbar = "toolbar", search = "searchable", alert = "alert", sheet = "sheet"
  }

  /// The kind.
  public let role: Role
  /// Its words: a button's are those of its label.
  public var label: String
  /// The value of a control or a labeled content.
  public var value: String?
  /// The items in it.
  public var children: [Item]
  /// Whether it takes a tap.
  public var isEnabled = true
  /// The notes on it: a color, "selected", "destructive", its keyboard.
  public var traits: [String] = []
  /// The actions of swipes, by the edge.
  public var swipes: [HorizontalEdge: [Item]] = [:]
  /// The actions of its context menu.
  public var menu: [Item] = []
  /// The choices of a picker.
  var choices: [(label: String, choose: () -> Void)] = []
  var tag: AnyHashable?
  var isLabelHidden = false
  var activate: (() -> Void)?
  var enter: ((String) -> Void)?
  var choose: ((Date) -> Void)?
  var submit: (() -> Void)?
  var focus: ((Bool) -> Void)?

  init(_ role: Role, _ label: String = "", value: String? = nil, _ children: [Item] = []) {
    (self.role, self.label, self.value, self.children) = (role, label, value, children)
  }

  /// Whether it belongs to the screen and not to the place where its view is.
  var isAtScreen: Bool {
    switch role {
    case .title, .toolbar, .search, .alert, .sheet: true
    default: false
    }
  }

  /// Whether it is shown before all others.
  var isPresented: Bool { role == .alert || role == .sheet }

  /// All words in it, as one reads them.
  var words: [String] {
    switch role {
    case .link: children.flatMap(\.words)
    case .menu: [label]
    default: [label].filter { !$0.isEmpty } + children.flatMap(\.words)
    }
  }

  /// It and all that is in it, without what is swiped to.
  public var all: [Item] { [self] + children.flatMap(\.all) }
}

extension [Item] {
  /// Puts items into one; what belongs to the screen stays beside it.
  func inside(_ role: Item.Role, _ label: String = "") -> [Item] {
    [Item(role, label, filter { !$0.isAtScreen })] + filter(\.isAtScreen)
  }

  /// The words of the items as one label.
  var asLabel: String { flatMap(\.words).joined(separator: ", ") }
}

extension Item: CustomStringConvertible {
  /// The item as text, what is in it indented by two.
  public var description: String { lines.joined(separator: "\n") }

  var lines: [String] {
    switch role {
    case .column where isInline, .line where isInline: return [inline].filter { !$0.isEmpty }
    case .list, .stack, .column, .line: return children.flatMap(\.lines)
    case .section, .sheet, .alert, .toolbar, .menu:
      return [own] + children.flatMap(\.lines).map { "  " + $0 }
    default: return [own]
    }
  }

  private var isInline: Bool {
    switch role {
    case .list, .section, .stack, .sheet, .alert, .toolbar, .menu: false
    case .line, .column: children.allSatisfy(\.isInline)
    default: true
    }
  }

  private var inline: String {
    role == .line || role == .column ? children.map(\.inline).filter { !$0.isEmpty }.joined(separator: " · ") : own
  }

  private var own: String {
    if role == .link {
      let inside = children.map(\.inline).filter { !$0.isEmpty }.joined(separator: " · ")
      return "[\(inside)]" + (isEnabled ? "" : " (disabled)")
    }
    let kind =
      switch role {
      case .text: ""
      case .title: "# "
      default: role.rawValue + " "
      }
    let name = role == .text || role == .title ? label : label.isEmpty ? "" : "'\(label)'"
    let notes = (isLabelHidden ? ["no label"] : []) + traits + (isEnabled ? [] : ["disabled"])
    return (kind + name).trimmed + (value.map { ": " + $0 } ?? "")
      + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
  }
}

extension String {
  fileprivate var trimmed: String { last == " " ? String(dropLast()) : self }
}
