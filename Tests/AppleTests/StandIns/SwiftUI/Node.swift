// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Observation
import Synchronization

/// A place in the tree of views: what is there now, its state, and what it shows.
@MainActor
public final class Node {
  private(set) var environment = EnvironmentValues()
  private var children: [AnyHashable: Node] = [:]
  private var placed: Set<AnyHashable> = []
  private var type: any View.Type = EmptyView.self
  private var slots: [AnyObject] = []
  private var evaluate: (() -> Void)?
  private var collect: () -> [Item] = { [] }
  private let isStale = Mutex(false)
  var disappearing: (() -> Void)?

  private let counts: Counts

  /// The number of evaluations of bodies, by the names of views.
  final class Counts { var evaluations: [String: Int] = [:] }

  init(_ counts: Counts) { self.counts = counts }

  // MARK: - What primitives call

  /// Shows a view at a place below this one, with an environment that may be changed.
  func child(_ key: AnyHashable, _ view: any View, _ change: (inout EnvironmentValues) -> Void = { _ in }) -> Node {
    var environment = environment
    change(&environment)
    let node: Node
    if let old = children[key], old.type == Swift.type(of: view) {
      node = old
    } else {
      forget(key)
      node = Node(counts)
      children[key] = node
    }
    placed.insert(key)
    node.update(view, environment)
    return node
  }

  /// Shows what another view shows.
  func passes(_ view: any View, _ change: (inout EnvironmentValues) -> Void = { _ in }) {
    let child = child(0, view, change)
    shows { child.items }
  }

  /// Sets what is shown here: it is asked whenever the screen is drawn, and evaluates no body.
  func shows(_ items: @escaping () -> [Item]) { collect = items }

  /// Returns an object that keeps its identity for as long as the view is at this place.
  func kept<Value: AnyObject>(_ slot: Int, _ make: () -> Value) -> Value {
    if slot < slots.count, let value = slots[slot] as? Value { return value }
    let value = make()
    slots.insert(value, at: min(slot, slots.count))
    return value
  }

  // MARK: - Updates

  var items: [Item] { collect() }

  func update(_ view: any View, _ environment: EnvironmentValues) {
    self.environment = environment
    type = Swift.type(of: view)
    if let primitive = view as? any Primitive {
      evaluate = { [unowned self] in
        isStale.withLock { $0 = false }
        place { primitive.place(in: self) }
      }
      evaluate?()
    } else {
      open(view)
    }
  }

  /// Places what is here again, since something of its own has changed.
  func placeAgain() { invalidate() }

  private func open<Content: View>(_ view: Content) {
    evaluate = { [unowned self] in
      isStale.withLock { $0 = false }
      counts.evaluations["\(Content.self)", default: 0] += 1
      var view = view
      var slot = 0
      Fields.install(in: &view, self, &slot)
      let body = withObservationTracking {
        view.body
      } onChange: { [weak self] in
        self?.invalidate()
      }
      place { passes(body) }
    }
    evaluate?()
  }

  private func place(_ action: () -> Void) {
    placed = []
    action()
    for key in children.keys where !placed.contains(key) { forget(key) }
  }

  private func forget(_ key: AnyHashable) { children.removeValue(forKey: key)?.end() }

  /// Ends what is shown here, and below.
  func end() {
    for child in children.values { child.end() }
    disappearing?()
    disappearing = nil
  }

  /// Says, from any thread, that the body must be evaluated again.
  nonisolated func invalidate() { isStale.withLock { $0 = true } }

  /// Evaluates the bodies again of which something has changed; returns whether there was one.
  func refresh() -> Bool {
    if isStale.withLock({ $0 }), let evaluate {
      evaluate()
      return true
    }
    return children.values.reduce(false) { $1.refresh() || $0 }
  }
}

/// The dynamic properties of a view, which are changed where they are stored.
private enum Fields {
  @MainActor
  static func install<Owner>(in owner: inout Owner, _ node: Node, _ slot: inout Int) {
    let types = Mirror(reflecting: owner).children.map { Swift.type(of: $0.value) }
    withUnsafeMutablePointer(to: &owner) { pointer in
      for (index, type) in types.enumerated() {
        guard let property = type as? any DynamicProperty.Type else { continue }
        // The runtime gives the offset of the field with this index, whose type its mirror has named.
        let field = UnsafeMutableRawPointer(pointer) + offset(of: Owner.self, index: index)
        install(property, at: field, node, &slot)
      }
    }
  }

  @MainActor
  private static func install<Property: DynamicProperty>(
    _ type: Property.Type, at field: UnsafeMutableRawPointer, _ node: Node, _ slot: inout Int
  ) {
    let property = field.assumingMemoryBound(to: type)
    if var stored = property.pointee as? any StoredProperty {
      stored.install(in: node, &slot)
      if let stored = stored as? Property { property.pointee = stored }
    } else {
      install(in: &property.pointee, node, &slot)
    }
    property.pointee.update()
  }

  private static func offset(of type: Any.Type, index: Int) -> Int { childOffset(type, index: index) }
}

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func childOffset(_: Any.Type, index: Int) -> Int

/// A property that keeps something at its view's place.
@MainActor
protocol StoredProperty {
  mutating func install(in node: Node, _ slot: inout Int)
}
