/// An enum whose cases are flags with values of one type.
///
/// ```swift
/// enum RemoteFeature: String, CaseIterable, EnumeratedFlag {
///   case blaze, jetpackSocial
///   var defaultValue: Bool { self == .blaze }
/// }
/// manager.variation(for: RemoteFeature.jetpackSocial)
/// ```
///
/// A case is a flag, so every port takes it, and reading it takes about as long as reading a property of a set. The
/// keys are made once for each enum, from ``FeatureFlag/defaultValue``, ``FeatureFlag/metadata`` and ``ownKey``; these
/// must not change while the program runs. They are called on the thread that reads a case first. Two cases with one
/// key are an error of the client that gets the catalog. A key that is not valid stops the program, as does an
/// ``ownKey`` that uses the key of a case.
public protocol EnumeratedFlag<Value>: FeatureFlag, CaseIterable, RawRepresentable<String> {
  /// The style in which raw values become keys; kebab case by default, without a prefix.
  ///
  /// For raw values that are keys already, it is `KeyStyle(transform: .none)`.
  static var keyStyle: KeyStyle { get }

  /// The catalog of all cases; by default it has the name of the type in kebab case.
  static var catalog: FlagCatalog { get }

  /// The whole key of a case that does not follow the style, or nil; nil by default.
  var ownKey: FlagKey? { get }

  /// The name that people see, if the metadata are the default ones; by default from the case's name.
  var title: String { get }
}

extension EnumeratedFlag {
  /// Kebab case without a prefix.
  public static var keyStyle: KeyStyle { KeyStyle() }

  /// The catalog of all cases, with the name of the type in kebab case.
  public static var catalog: FlagCatalog {
    FlagCatalog(KeyStyle().component(for: "\(Self.self)")) { for flag in allCases { flag } }
  }

  /// No key but that of the style.
  public var ownKey: FlagKey? { nil }

  /// The name of the case as a title: `jetpackSocial` becomes `Jetpack Social`.
  public var title: String { "\(self)".title }

  /// Metadata with the title only.
  public var metadata: FlagMetadata { FlagMetadata(displayName: title) }

  /// The parts of the metadata that affect the flag's value.
  public var traits: FlagTraits { key.traits }

  /// The name under which providers know the flag.
  @inlinable public var key: FlagKey {
    // Only the lookup is inlined, so that it needs neither the type's metadata nor a copy of the case.
    EnumeratedKeys.key(of: ObjectIdentifier(Self.self), pattern: EnumeratedKeys.pattern(of: self)) ?? keyMadeNow
  }

  /// The key, after the keys of all cases have been made, or if there is no table for the type.
  @usableFromInline var keyMadeNow: FlagKey {
    // The declaration may use keys of other cases, as in `requires:`.
    if KeyStage.stages[ObjectIdentifier(Self.self)] != nil { return bareKey }
    let pattern = EnumeratedKeys.pattern(of: self)
    guard pattern != EnumeratedKeys.noPattern else { return declaredKey }
    EnumeratedKeys.add(Self.self)
    return EnumeratedKeys.key(of: ObjectIdentifier(Self.self), pattern: pattern) ?? declaredKey
  }

  fileprivate var declaredKey: FlagKey {
    KeyStage.declaring.with(Self.self) {
      bareKey.declared(default: defaultValue, metadata, isComputed: computed != nil || fallback != nil)
    }
  }

  /// The key without the slot and the traits of its declaration.
  private var bareKey: FlagKey {
    precondition(
      KeyStage.stages[ObjectIdentifier(Self.self)] != .naming,
      "\(Self.self): expected an ownKey that uses no case's key, which is made from it")
    return KeyStage.naming.with(Self.self) { ownKey }
      ?? FlagKey(stringLiteral: Self.keyStyle.name(of: [.name(rawValue)]))
  }
}

/// The part of an enum's keys that the current task computes.
private enum KeyStage {
  case declaring, naming

  @TaskLocal static var stages: [ObjectIdentifier: KeyStage] = [:]

  func with<Result>(_ type: Any.Type, _ work: () -> Result) -> Result {
    Self.$stages.withValue(Self.stages.merging([ObjectIdentifier(type): self]) { $1 }, operation: work)
  }
}

/// The keys of enums' cases, in a table for each enum.
///
/// They take the place of a static property of each enum, which a generic type and an extension cannot have. Reading
/// them needs neither a lock nor reference counting.
@usableFromInline
enum EnumeratedKeys: Sendable {
  private static let made = GrowingMap<ObjectIdentifier, Table>(listCount: 64)

  /// The keys by the pattern of their cases.
  ///
  /// Unchecked, since it holds a pointer: to memory that is written before the table is published, never changes, and
  /// is never freed.
  @safe
  private struct Table: @unchecked Sendable {
    let keys: UnsafeMutableBufferPointer<FlagKey?>

    init(_ keys: [FlagKey?]) {
      unsafe self.keys = .allocate(capacity: keys.count)
      _ = unsafe self.keys.initialize(from: keys)
    }
  }

  /// The pattern of a value that is not of one byte, and so not in a table.
  @usableFromInline static var noPattern: Int { -1 }

  /// Returns the byte in which an enum of up to 256 cases without associated values is stored; zero for a single case.
  ///
  /// It differs from case to case and never changes while the program runs.
  @inlinable @inline(__always)
  static func pattern<Case>(of value: Case) -> Int {
    guard MemoryLayout<Case>.size <= 1 else { return -1 }
    return unsafe withUnsafeBytes(of: value) { unsafe Int($0.first ?? 0) }
  }

  /// Returns the key of an enum's case, or nil if it was not made yet.
  @usableFromInline static func key(of type: ObjectIdentifier, pattern: Int) -> FlagKey? {
    guard let keys = unsafe made.value(of: type, hash: hash(of: type))?.keys, keys.indices.contains(pattern) else {
      return nil
    }
    return unsafe keys[pattern]
  }

  // The metadata of types are aligned to at least eight bytes.
  private static func hash(of type: ObjectIdentifier) -> Int { Int(bitPattern: type) >> 3 }

  /// Makes the keys of an enum's cases, unless there are some.
  fileprivate static func add<Cases: EnumeratedFlag>(_ type: Cases.Type) {
    let id = ObjectIdentifier(type)
    guard made.value(of: id, hash: hash(of: id)) == nil else { return }
    var keys: [FlagKey?] = []
    for flag in type.allCases {
      let pattern = pattern(of: flag)
      keys += Array(repeating: nil, count: max(0, pattern + 1 - keys.count))
      keys[pattern] = flag.declaredKey
    }
    let table = Table(keys)
    // Another thread may have been faster.
    if !made.add(table, for: id, hash: hash(of: id)) { unsafe table.keys.deallocate() }
  }
}
