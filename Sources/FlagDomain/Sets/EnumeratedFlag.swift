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

extension EnumeratedKeys {
  /// Makes the keys of an enum's cases, unless there are some.
  fileprivate static func add<Cases: EnumeratedFlag>(_ type: Cases.Type) {
    guard !shared.contains(ObjectIdentifier(type)) else { return }
    var keys: [FlagKey?] = []
    for flag in type.allCases {
      let pattern = pattern(of: flag)
      keys += Array(repeating: nil, count: max(0, pattern + 1 - keys.count))
      keys[pattern] = flag.declaredKey
    }
    shared.note(keys, of: ObjectIdentifier(type))
  }
}
