/// The description of a flag, for people and for the client.
///
/// A string literal makes metadata with a description only. Metadata is one reference, and cheap to copy.
public struct FlagMetadata: Sendable {
  /// The fields, which `storage` holds behind one reference.
  fileprivate struct Fields: Hashable, Sendable {
    var description: String
    var displayName: String?
    var requiresRestart: Bool
    var overridesRequireRestart: Bool
    var isInternal: Bool
    var isLocked: Bool
    var refusesOverrides: Bool
    var isExperiment: Bool
    var order: Int
    var owner: String?
    var expires: CalendarDay?
    var providers: Set<String>?
    var excludedProviders: Set<String>
    var presentation: FlagPresentation
    var path: [_FlagPath.Component]
    var keyPath: [String] = []
    var requires: FlagKey?
    var isDerived = false
  }

  private final class Storage: Sendable {
    let fields: Fields

    init(_ fields: Fields) { self.fields = fields }
  }

  private let storage: Storage

  private init(_ fields: Fields) { storage = Storage(fields) }

  /// Creates metadata.
  ///
  /// - Parameters:
  ///   - description: A sentence that describes the flag.
  ///   - displayName: The name that people see; nil derives it from the key or the property.
  ///   - requiresRestart: Whether the value stays the same until the next start. Providers answer as they did when
  ///     the client was made, and overrides are those that were stored then.
  ///   - overridesRequireRestart: Whether an override takes effect at the next start; providers take effect at once.
  ///   - isInternal: Whether consoles hide the flag.
  ///   - isLocked: Whether consoles must not change the flag; code and launch arguments still may.
  ///   - isOverridable: Whether the flag can be overridden; if not, setting an override throws, and stored overrides
  ///     and launch arguments have no effect on it.
  ///   - isExperiment: Whether a read counts as an exposure of the user to the value, whatever the definition says.
  ///   - order: The position of the flag among its siblings in consoles, lowest first.
  ///   - owner: The person or team that is responsible for the flag.
  ///   - expires: The last day on which the flag should be in the code.
  ///   - providers: The names of the only providers to query for this flag; nil for all.
  ///   - excludedProviders: The names of the providers to skip for this flag.
  ///   - presentation: The presentation of the flag in consoles, and the values they offer for it.
  ///   - requires: The key of a boolean flag of the client's catalogs, without which this one is off: while that one is
  ///     off, this one has its default, or is false, unless it is overridden.
  ///   - path: The names that the key is built from, outermost group first; empty for a key that is used as it is.
  public init(
    _ description: String = "",
    displayName: String? = nil,
    requiresRestart: Bool = false,
    overridesRequireRestart: Bool = false,
    isInternal: Bool = false,
    isLocked: Bool = false,
    isOverridable: Bool = true,
    isExperiment: Bool = false,
    order: Int = 0,
    owner: String? = nil,
    expires: CalendarDay? = nil,
    providers: Set<String>? = nil,
    excludedProviders: Set<String> = [],
    presentation: FlagPresentation = FlagPresentation(),
    requires: FlagKey? = nil,
    path: [_FlagPath.Component] = []
  ) {
    self.init(
      Fields(
        description: description, displayName: displayName, requiresRestart: requiresRestart,
        overridesRequireRestart: overridesRequireRestart, isInternal: isInternal, isLocked: isLocked,
        refusesOverrides: !isOverridable, isExperiment: isExperiment, order: order, owner: owner, expires: expires,
        providers: providers, excludedProviders: excludedProviders, presentation: presentation, path: path,
        requires: requires))
  }

  /// A sentence that describes the flag.
  public var description: String { storage.fields.description }
  /// The name that people see, or nil.
  public var displayName: String? { storage.fields.displayName }
  /// Whether the value stays the same until the next start.
  public var requiresRestart: Bool { storage.fields.requiresRestart }
  /// Whether an override takes effect at the next start; providers take effect at once.
  public var overridesRequireRestart: Bool { storage.fields.overridesRequireRestart }
  /// Whether consoles hide the flag.
  public var isInternal: Bool { storage.fields.isInternal }
  /// Whether consoles must not change the flag; code and launch arguments still may.
  public var isLocked: Bool { storage.fields.isLocked }
  /// Whether the flag can be overridden, by anyone.
  public var isOverridable: Bool { !storage.fields.refusesOverrides }
  /// Whether a read counts as an exposure of the user to the value, whatever the flag's definition says.
  public var isExperiment: Bool { storage.fields.isExperiment }
  /// The position of the flag among its siblings in consoles, lowest first.
  public var order: Int { storage.fields.order }
  /// The person or team that is responsible for the flag, or nil.
  public var owner: String? { storage.fields.owner }
  /// The last day on which the flag should be in the code, or nil.
  public var expires: CalendarDay? { storage.fields.expires }
  /// The names of the only providers to query for this flag; nil for all.
  public var providers: Set<String>? { storage.fields.providers }
  /// The names of the providers to skip for this flag.
  public var excludedProviders: Set<String> { storage.fields.excludedProviders }
  /// The presentation of the flag in consoles, and the values they offer for it.
  public var presentation: FlagPresentation { storage.fields.presentation }
  /// The names that the key is built from, outermost group first; empty for a key that is used as it is.
  public var path: [_FlagPath.Component] { storage.fields.path }
  /// The components of the key, and of its groups' keys; empty outside a set.
  var keyPath: [String] { storage.fields.keyPath }
  /// The key of the flag without which this one is off; nil for none.
  public var requires: FlagKey? { storage.fields.requires }

  /// Whether the value follows from other flags.
  package var isDerived: Bool { storage.fields.isDerived }

  /// Returns whether a provider is queried for this flag.
  package func queries(_ provider: String) -> Bool {
    providers?.contains(provider) != false && !excludedProviders.contains(provider)
  }
}

extension FlagMetadata.Fields {
  /// Restricts overrides and providers as a set does.
  fileprivate mutating func limit(as set: FlagMetadata) {
    refusesOverrides = refusesOverrides || !set.isOverridable
    providers = providers.map { own in set.providers.map { own.intersection($0) } ?? own } ?? set.providers
    excludedProviders.formUnion(set.excludedProviders)
  }
}

extension FlagMetadata: Hashable {
  /// Returns whether all fields are equal.
  public static func == (left: FlagMetadata, right: FlagMetadata) -> Bool {
    left.storage === right.storage || left.storage.fields == right.storage.fields
  }

  /// Feeds the metadata to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(storage.fields) }

  /// The parts that affect the flag's value, or whether reads of it are counted.
  public var traits: FlagTraits {
    var traits: FlagTraits = []
    if requiresRestart { traits.insert(.requiresRestart) }
    if overridesRequireRestart { traits.insert(.overridesRequireRestart) }
    if providers != nil || !excludedProviders.isEmpty { traits.insert(.excludesProviders) }
    if isExperiment { traits.insert(.isExperiment) }
    if requires != nil || isDerived { traits.insert(.dependsOnFlags) }
    return traits
  }

  /// Returns whether the fields that affect resolution, or the counting of reads, are equal.
  func resolvesLike(_ other: FlagMetadata) -> Bool {
    let (own, others) = (storage.fields, other.storage.fields)
    return storage === other.storage
      || own.providers == others.providers && own.excludedProviders == others.excludedProviders
        && own.path == others.path && own.refusesOverrides == others.refusesOverrides
        && own.requires == others.requires && own.isDerived == others.isDerived
        && own.requiresRestart == others.requiresRestart
        && own.overridesRequireRestart == others.overridesRequireRestart && own.isExperiment == others.isExperiment
  }
}

extension FlagMetadata: ExpressibleByStringLiteral {
  /// Creates metadata with a description only.
  public init(stringLiteral description: String) { self.init(description) }
}

extension FlagMetadata {
  /// Returns the metadata of a group, with those of its set that the group does not replace.
  func ofGroup(of set: FlagMetadata) -> FlagMetadata {
    var fields = storage.fields
    fields.isInternal = isInternal || set.isInternal
    fields.isLocked = isLocked || set.isLocked
    fields.limit(as: set)
    fields.owner = owner ?? set.owner
    if presentation == FlagPresentation() { fields.presentation = set.presentation }
    return FlagMetadata(fields)
  }

  /// Returns the metadata of a flag in a set: what the set restricts is restricted for the flag, too.
  func inSet(_ set: FlagMetadata) -> FlagMetadata {
    guard !set.isOverridable || set.providers != nil || !set.excludedProviders.isEmpty else { return self }
    var fields = storage.fields
    fields.limit(as: set)
    return FlagMetadata(fields)
  }

  /// Returns the metadata of a flag that follows from others.
  package var ofDerived: FlagMetadata {
    var fields = storage.fields
    fields.isDerived = true
    return FlagMetadata(fields)
  }

  /// Returns the metadata with the names that the key is built from, the components of the key, and a title if it has
  /// no display name.
  func at(path: [_FlagPath.Component], keyPath: [String], titled title: String) -> FlagMetadata {
    var fields = storage.fields
    fields.path = path
    fields.keyPath = keyPath
    fields.displayName = displayName ?? title
    return FlagMetadata(fields)
  }
}
