public import FlagDomain

/// Declares a set of flags, each in one line, which are read as properties.
///
/// ```swift
/// @FlagSet("feed", "The feed.")
/// public struct FeedFlags {
///   @Flag("Posts on one page.") public var pageSize = 20
///   @Flag("A line over the feed; nil for none.") public var teaser: String?
///   @FlagGroup("Posts with videos.") public var video: VideoFlags
/// }
///
/// let feed = FeedFlags(manager)
/// feed.pageSize           // the current value
/// feed.$pageSize.key      // feed.page-size
/// FeedFlags.flags.teaser  // the flag, without a manager
/// FeedFlags.catalog       // all of them, in order
/// ```
///
/// The struct conforms to `NestableFlagSet`, so it can be a group in other sets too. The file that declares it
/// imports `FlagDomain`.
///
/// - Parameters:
///   - name: The set's name, which makes the first component of its keys.
///   - key: The component of keys to use instead of the name; an empty string for no component.
///   - description: The purpose of the set, in a sentence.
///   - displayName: The name that people see; nil derives it from the name.
///   - isInternal: Whether consoles hide the set.
///   - isLocked: Whether consoles must not change its flags.
///   - isOverridable: Whether its flags can be overridden, by anyone.
///   - order: The position of the set among its siblings in consoles, lowest first.
///   - owner: The person or team that is responsible for the set.
///   - providers: The names of the only providers that are queried for its flags; nil for all.
///   - excludedProviders: The names of the providers that are skipped for its flags.
///   - presentation: The way consoles show the set: its icon, and whether it has a list of its own.
///   - style: The rule that turns names into keys, in this set and its groups.
@attached(member, names: arbitrary)
@attached(extension, conformances: FlagSet, NestableFlagSet)
public macro FlagSet(
  _ name: String = "",
  key: String? = nil,
  _ description: String = "",
  displayName: String? = nil,
  isInternal: Bool = false,
  isLocked: Bool = false,
  isOverridable: Bool = true,
  order: Int = 0,
  owner: String? = nil,
  providers: Set<String>? = nil,
  excludedProviders: Set<String> = [],
  presentation: FlagPresentation = FlagPresentation(),
  style: KeyStyle = KeyStyle()
) = #externalMacro(module: "FlagMacrosPlugin", type: "FlagSetMacro")
