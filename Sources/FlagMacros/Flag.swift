public import FlagDomain

/// Makes a property a flag, read through the manager of its set; the property with a `$` is the flag itself.
///
/// ```swift
/// @Flag("Posts on one page.") public var pageSize = 20
/// @Flag(key: "feed-ranking", "How posts are ordered.") public var ranking = Ranking.chronological
/// @Flag("A line over the feed; nil for none.", owner: "growth", expires: "2027-01-31") public var teaser: String?
/// ```
///
/// The type may be left out where it can be read off the default. An optional flag without a default has nil. Code can
/// compute the value at every read, for as long as it has one:
///
/// ```swift
/// @Flag("Shows the weekly offer.", computed: { context in context["weekday"].map { $0 == "tuesday" } })
/// public var showsOffer = false
/// ```
///
/// - Parameters:
///   - key: The whole key, used as it stands; nil makes it from the set's, the groups' and the property's names.
///   - description: What the flag does, in a sentence.
///   - displayName: A name for people; nil makes one from the property's name.
///   - requiresRestart: Whether an override counts only from the next start.
///   - isInternal: Whether browsers leave the flag out.
///   - isLocked: Whether browsers may not change the flag; code still may.
///   - order: Where browsers show the flag among its siblings, lowest first.
///   - owner: Who answers for the flag.
///   - expires: The day after which the flag should be gone from the code.
///   - excludedProviders: Names of providers that are not asked for this flag.
///   - computed: A closure that is asked after an override and before the providers; its nil asks on. What else it
///     returns is of the property's type.
@attached(accessor)
@attached(peer, names: prefixed(`$`))
public macro Flag(
  key: String? = nil,
  _ description: String = "",
  displayName: String? = nil,
  requiresRestart: Bool = false,
  isInternal: Bool = false,
  isLocked: Bool = false,
  order: Int = 0,
  owner: String? = nil,
  expires: CalendarDay? = nil,
  excludedProviders: Set<String> = [],
  computed: (@Sendable (EvaluationContext) -> Any?)? = nil
) = #externalMacro(module: "FlagMacrosPlugin", type: "FlagMacro")
