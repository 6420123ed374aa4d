public import FlagDomain

/// Declares a flag: the property reads its value through the set's manager, and `$property` is the flag itself.
///
/// ```swift
/// @Flag("Posts on one page.") public var pageSize = 20
/// @Flag(key: "feed-ranking", "How posts are ordered.") public var ranking: Ranking = .chronological
/// @Flag("A line over the feed; nil for none.", owner: "growth", expires: "2027-01-31") public var teaser: String?
/// ```
///
/// The type may be omitted if the default is a literal or a call of the type's initializer. It is required if the
/// default is a member, such as a case: a macro cannot see the type of `Ranking.popular` or `Links.home`. Without a
/// default, an optional flag is nil, a `Bool` is false and a `String` is empty. A closure can compute the value at
/// every read:
///
/// ```swift
/// @Flag("Shows the weekly offer.", computed: { context in context["weekday"].map { $0 == "tuesday" } })
/// public var showsOffer = false
/// ```
///
/// - Parameters:
///   - key: The complete key, used as is; nil derives it from the names of the set, the groups and the property.
///   - description: The purpose of the flag, in a sentence.
///   - displayName: The name that people see; nil derives it from the property's name.
///   - requiresRestart: Whether the value stays the same until the next start.
///   - overridesRequireRestart: Whether an override takes effect at the next start; providers take effect at once.
///   - isInternal: Whether consoles hide the flag.
///   - isLocked: Whether consoles must not change the flag; code and launch arguments still can.
///   - isOverridable: Whether the flag can be overridden, by anyone.
///   - isExperiment: Whether a read counts as an exposure of the user to the value.
///   - order: The position of the flag among its siblings in consoles, lowest first.
///   - owner: The person or team that is responsible for the flag.
///   - expires: The last day on which the flag should be in the code.
///   - providers: The names of the only providers that are queried for this flag; nil for all.
///   - excludedProviders: The names of the providers that are skipped for this flag.
///   - presentation: The way consoles show and edit the flag: an icon, a range and step for numbers, values to
///     choose from.
///   - requires: The key of a boolean flag without which this one is off, such as `"player.is-new"`: while that one is
///     off, this one has its default, or is false, unless it is overridden. The client's start checks the key.
///   - computed: A closure that is called after overrides and before the providers. It returns a value of the
///     property's type, or nil to fall through to the providers.
///   - fallback: A closure that is called if no provider has a value. It returns a value of the property's type, or nil
///     for the default.
@attached(accessor)
public macro Flag(
  key: String? = nil,
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
  computed: (@Sendable (EvaluationContext) -> Any?)? = nil,
  fallback: (@Sendable (EvaluationContext) -> Any?)? = nil
) = #externalMacro(module: "FlagMacrosPlugin", type: "FlagMacro")

/// Declares a flag whose key is the app's own name for it, such as a case of an enum of keys.
///
/// ```swift
/// @Flag(key: AppKey.newSearch, "The new search.") public var newSearch = false
/// ```
///
/// Its other parameters are those of the macro that takes a literal. The name's raw value must be a valid key: it is
/// checked when the set is used first.
@attached(accessor)
public macro Flag<Key: RawRepresentable>(
  key: Key,
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
  computed: (@Sendable (EvaluationContext) -> Any?)? = nil,
  fallback: (@Sendable (EvaluationContext) -> Any?)? = nil
) = #externalMacro(module: "FlagMacrosPlugin", type: "NamedFlagMacro") where Key.RawValue == String
