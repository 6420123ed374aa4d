/// The description of a flag, for people and for the client.
///
/// A string literal makes metadata with a description only.
public struct FlagMetadata: Hashable, Sendable {
  /// A sentence that describes the flag.
  public var description: String
  /// The name that people see; nil derives it from the key or the property.
  public var displayName: String?
  /// Whether the value stays the same until the next start.
  ///
  /// Providers answer as they did when the client was made, and overrides are those that were stored then.
  public var requiresRestart: Bool
  /// Whether an override takes effect at the next start; providers take effect at once.
  public var overridesRequireRestart: Bool
  /// Whether consoles hide the flag.
  public var isInternal: Bool
  /// Whether consoles must not change the flag; code and launch arguments still may.
  public var isLocked: Bool
  /// Whether the flag can be overridden, by anyone; if not, setting an override throws, and stored overrides and launch
  /// arguments have no effect on it.
  public var isOverridable: Bool
  /// Whether a read counts as an exposure of the user to the value, whatever the flag's definition says.
  public var isExperiment: Bool
  /// The position of the flag among its siblings in consoles, lowest first.
  public var order: Int
  /// The person or team that is responsible for the flag, or nil.
  public var owner: String?
  /// The last day on which the flag should be in the code, or nil.
  public var expires: CalendarDay?
  /// The names of the only providers to query for this flag; nil for all.
  public var providers: Set<String>?
  /// The names of the providers to skip for this flag.
  public var excludedProviders: Set<String>
  /// The presentation of the flag in consoles, and the values they offer for it.
  public var presentation: FlagPresentation
  /// The key of a boolean flag of the client's catalogs, without which this one is off; nil for none.
  ///
  /// While that one is off, this one has its default, or is false, unless it is overridden.
  public var requires: FlagKey?
  /// The names that the key is built from, outermost group first; empty for a key that is used as it is.
  public var path: [_FlagPath.Component]
  /// The components of the key, and of its groups' keys; empty outside a set.
  var keyPath: [String] = []
  /// Whether the value follows from other flags.
  package var isDerived = false

  /// Creates metadata; each parameter is the property of its name.
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
    self.description = description
    self.displayName = displayName
    self.requiresRestart = requiresRestart
    self.overridesRequireRestart = overridesRequireRestart
    self.isInternal = isInternal
    self.isLocked = isLocked
    self.isOverridable = isOverridable
    self.isExperiment = isExperiment
    self.order = order
    self.owner = owner
    self.expires = expires
    self.providers = providers
    self.excludedProviders = excludedProviders
    self.presentation = presentation
    self.requires = requires
    self.path = path
  }
}

extension FlagMetadata: ExpressibleByStringLiteral {
  /// Creates metadata with a description only.
  public init(stringLiteral description: String) { self.init(description) }
}

extension FlagMetadata {
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
    traits == other.traits && providers == other.providers && excludedProviders == other.excludedProviders
      && isOverridable == other.isOverridable && path == other.path && requires == other.requires
      && isDerived == other.isDerived
  }

  /// Returns whether a provider is queried for this flag.
  package func queries(_ provider: String) -> Bool {
    providers?.contains(provider) != false && !excludedProviders.contains(provider)
  }

  /// Returns the metadata of a group, with those of its set that the group does not replace.
  func ofGroup(of set: FlagMetadata) -> FlagMetadata {
    var metadata = inSet(set)
    metadata.isInternal = isInternal || set.isInternal
    metadata.isLocked = isLocked || set.isLocked
    metadata.owner = owner ?? set.owner
    if presentation == FlagPresentation() { metadata.presentation = set.presentation }
    return metadata
  }

  /// Returns the metadata of a flag in a set: what the set restricts is restricted for the flag, too.
  func inSet(_ set: FlagMetadata) -> FlagMetadata {
    var metadata = self
    metadata.isOverridable = isOverridable && set.isOverridable
    metadata.providers = providers.map { own in set.providers.map(own.intersection) ?? own } ?? set.providers
    metadata.excludedProviders.formUnion(set.excludedProviders)
    return metadata
  }

  /// Returns the metadata with the names that the key is built from, the components of the key, and a title if it has
  /// no display name.
  func at(path: [_FlagPath.Component], keyPath: [String], titled title: String) -> FlagMetadata {
    var metadata = self
    (metadata.path, metadata.keyPath) = (path, keyPath)
    metadata.displayName = displayName ?? title
    return metadata
  }
}
