public import Foundation

/// A screen with a view, on which a test acts as a person does.
@MainActor
public final class Screen {
  private let counts = Node.Counts()
  private let root: Node

  /// An action for which the screen has nothing, or too much.
  public struct Failure: Error, CustomStringConvertible {
    /// The missing item, and the screen.
    public let description: String
  }

  /// Shows a view, in an app with a table of words.
  public init(_ view: some View, strings: [String: String] = [:]) {
    var environment = EnvironmentValues()
    environment.strings = strings
    root = Node(counts)
    root.update(view, environment)
    redraw()
  }

  // MARK: - What one sees

  /// The item in front: an alert, a sheet, or the screen.
  public var front: Item { Self.front(of: root.items) }

  private static func front(of items: [Item]) -> Item {
    if let alert = items.last(where: { $0.role == .alert }) { return alert }
    if let sheet = items.last(where: { $0.role == .sheet }) {
      var inner = front(of: sheet.children)
      if !inner.isPresented { inner = Item(.sheet, inner.label, inner.children) }
      return inner
    }
    return Item(.stack, "", items)
  }

  /// The item in front, as text.
  public var text: String { front.description }

  /// Returns whether a text is in front.
  public func shows(_ text: String) -> Bool { self.text.contains(text) }

  /// The row with a text, as text; empty if there is none, or more than one.
  public func row(_ text: String) -> String { (try? rowItem(text))?.description ?? "" }

  /// The number of evaluations of bodies since the count was set to zero, by the names of views.
  public var evaluations: [String: Int] {
    get { counts.evaluations }
    set { counts.evaluations = newValue }
  }

  // MARK: - What one does

  /// Taps a button, a link, a toggle or a share link.
  public func tap(_ label: String, in row: String? = nil, as role: Item.Role? = nil) throws {
    let item = try find(label, in: row) {
      $0.activate != nil && !$0.isPresented && $0.role != .stack && (role == nil || $0.role == role)
    }
    try act(item) { item.activate?() }
  }

  /// Chooses one of a picker's choices.
  public func pick(_ choice: String, in picker: String) throws {
    let item = try find(picker) { $0.role == .picker }
    guard let choice = item.choices.first(where: { $0.label == choice }) else {
      throw failure("no choice '\(choice)' in \(item): \(item.choices.map(\.label))")
    }
    try act(item, choice.choose)
  }

  /// Chooses a date.
  public func pick(_ date: Date, in picker: String) throws {
    let item = try find(picker) { $0.role == .date }
    try act(item) { item.choose?(date) }
  }

  /// Types a text into a field as a phone does, in place of what is there, and leaves the field, by its key or not.
  public func type(_ text: String, into label: String = "", leavingBy key: Bool = true) throws {
    func field() throws -> Item { try find(label) { $0.role == .field || $0.role == .editor } }
    let item = try field()
    try act(item) { item.focus?(true) }
    try act(item) { item.enter?(text) }
    let typed = try field()
    if key, let submit = typed.submit { try act(typed, submit) }
    typed.focus?(false)
    redraw()
  }

  /// Steps up or down.
  public func step(_ label: String, up: Bool = true) throws {
    let item = try find(label) { $0.role == .stepper }
    try act(item) { item.enter?(up ? "+" : "-") }
  }

  /// Searches.
  public func search(_ text: String) throws {
    guard let field = front.all.first(where: { $0.role == .search }) else { throw failure("nothing to search in") }
    try act(field) { field.enter?(text) }
  }

  /// Swipes a row from an edge, and taps an action.
  public func swipe(_ row: String, from edge: HorizontalEdge, _ action: String) throws {
    let item = try rowItem(row)
    guard let button = (item.swipes[edge] ?? []).first(where: { $0.label == action }) else {
      throw failure("no action '\(action)' at the \(edge) edge of '\(row)': \(swipes(row, from: edge))")
    }
    try act(button) { button.activate?() }
  }

  /// The titles of what one can swipe to.
  public func swipes(_ row: String, from edge: HorizontalEdge) -> [String] {
    ((try? rowItem(row))?.swipes[edge] ?? []).map(\.label)
  }

  /// Opens the menu of a row, by a long press or a remote control, and chooses an action.
  public func hold(_ row: String, _ action: String) throws {
    let menu = try rowItem(row).menu
    guard let button = menu.first(where: { $0.label == action }) else {
      throw failure("no action '\(action)' in the menu of '\(row)': \(menu.map(\.label))")
    }
    try act(button) { button.activate?() }
  }

  /// Goes back to the screen before.
  public func back() throws {
    guard let back = front.all.last(where: { $0.role == .stack && $0.activate != nil })?.activate else {
      throw failure("no way back")
    }
    back()
    redraw()
  }

  /// Draws what has changed, until nothing changes.
  public func redraw() {
    // A view that changes its own state in its body would never end.
    for _ in 0..<100 where !root.refresh() { return }
    fatalError("the screen is drawn for ever:\n\(text)")
  }

  /// Lets tasks of the main actor run until something holds that is on the screen, for half a minute at most.
  public func wait(_ condition: (Screen) -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < end {
      redraw()
      if condition(self) { return }
      try await Task.sleep(for: .milliseconds(1))
    }
    throw failure("what was waited for did not come")
  }

  // MARK: - Looking

  private func act(_ item: Item, _ action: () -> Void) throws {
    guard item.isEnabled else { throw failure("disabled: \(item)") }
    action()
    redraw()
  }

  /// The row with a text: the item of a list, or of a section of it.
  private func rowItem(_ text: String) throws -> Item {
    let rows = Self.rows(of: [front]).filter { $0.words.contains(text) }
    guard let row = rows.first, rows.count == 1 else { throw failure("\(rows.count) rows with '\(text)'") }
    return row
  }

  private static func rows(of items: [Item]) -> [Item] {
    items.flatMap { item in
      switch item.role {
      case .list, .section, .stack, .sheet, .alert: rows(of: item.children)
      default: [item]
      }
    }
  }

  private func find(_ label: String, in row: String? = nil, where isWanted: (Item) -> Bool) throws -> Item {
    let place = try row.map { try rowItem($0) } ?? front
    let candidates = place.all.filter(isWanted)
    var found = candidates.filter { $0.label == label }
    if found.isEmpty { found = candidates.filter { $0.words.contains(label) } }
    if found.isEmpty { found = candidates.filter { $0.children.flatMap(\.words).contains(label) } }
    guard let item = found.first, found.count == 1 else { throw failure("\(found.count) times '\(label)'") }
    return item
  }

  private func failure(_ text: String) -> Failure { Failure(description: "\(text) on the screen:\n\(self.text)") }
}
