// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Observation

@MainActor @preconcurrency public protocol DynamicProperty { mutating func update() }
extension DynamicProperty { public mutating func update() {} }

// MARK: - State

@propertyWrapper
public struct State<Value>: DynamicProperty {
  private var storage: Storage

  private final class Storage {
    var value: Value
    weak var node: Node?
    init(_ value: Value) { self.value = value }
  }

  public init(wrappedValue: Value) { storage = Storage(wrappedValue) }
  public init(initialValue: Value) { storage = Storage(initialValue) }

  public var wrappedValue: Value {
    get { storage.value }
    nonmutating set {
      storage.value = newValue
      storage.node?.invalidate()
    }
  }

  public var projectedValue: Binding<Value> {
    Binding { [storage] in
      storage.value
    } setting: { [storage] value in
      storage.value = value
      storage.node?.invalidate()
    }
  }
}

extension State: StoredProperty {
  mutating func install(in node: Node, _ slot: inout Int) {
    storage = node.kept(slot) { [storage] in storage }
    storage.node = node
    slot += 1
  }
}

@propertyWrapper
public struct FocusState<Value: Hashable>: DynamicProperty {
  @State private var value: Value

  public struct Binding {
    let state: SwiftUI.Binding<Value>
    public var wrappedValue: Value {
      get { state.wrappedValue }
      nonmutating set { state.wrappedValue = newValue }
    }
  }

  public init() where Value == Bool { _value = State(initialValue: false) }
  public var wrappedValue: Value {
    get { value }
    nonmutating set { value = newValue }
  }
  public var projectedValue: Binding { Binding(state: $value) }
}

// MARK: - Binding

@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
  private let getting: () -> Value
  private let setting: (Value) -> Void

  @preconcurrency
  public init(
    get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {
    // All of the double runs on the main actor, to which these are isolated, or to nothing; their representation is
    // that of any closure.
    self.init(
      unsafeBitCast(get, to: (() -> Value).self), setting: unsafeBitCast(set, to: ((Value) -> Void).self))
  }

  init(_ getting: @escaping () -> Value, setting: @escaping (Value) -> Void) {
    (self.getting, self.setting) = (getting, setting)
  }

  public static func constant(_ value: Value) -> Binding<Value> {
    Binding {
      value
    } setting: { _ in
    }
  }

  public var wrappedValue: Value {
    get { getting() }
    nonmutating set { setting(newValue) }
  }

  public var projectedValue: Binding<Value> { self }

  public subscript<Member>(dynamicMember path: WritableKeyPath<Value, Member>) -> Binding<Member> {
    Binding<Member> {
      getting()[keyPath: path]
    } setting: { member in
      var value = getting()
      value[keyPath: path] = member
      setting(value)
    }
  }
}

@propertyWrapper @dynamicMemberLookup
public struct Bindable<Value: AnyObject & Observable> {
  public var wrappedValue: Value
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public init(_ value: Value) { wrappedValue = value }
  public var projectedValue: Bindable<Value> { self }

  public subscript<Member>(dynamicMember path: ReferenceWritableKeyPath<Value, Member>) -> Binding<Member> {
    Binding { [wrappedValue] in
      wrappedValue[keyPath: path]
    } setting: { [wrappedValue] member in
      wrappedValue[keyPath: path] = member
    }
  }
}

// MARK: - Environment

public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}

public struct EnvironmentValues {
  private var values: [ObjectIdentifier: Any] = [:]
  /// The looks of controls, by words: a keyboard.
  var traits: [String: String] = [:]
  weak var stack: NavigationState?
  var dismissing: (() -> Void)?
  public var isEnabled = true

  init() {}

  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  @MainActor public var dismiss: DismissAction { DismissAction(action: dismissing ?? {}) }
}

@MainActor @preconcurrency
public struct DismissAction {
  let action: () -> Void
  public func callAsFunction() { action() }
}

@propertyWrapper
public struct Environment<Value>: DynamicProperty {
  private let path: KeyPath<EnvironmentValues, Value>
  private var values = EnvironmentValues()
  public init(_ path: KeyPath<EnvironmentValues, Value>) { self.path = path }
  public var wrappedValue: Value { values[keyPath: path] }
}

extension Environment: StoredProperty {
  mutating func install(in node: Node, _ slot: inout Int) { values = node.environment }
}
