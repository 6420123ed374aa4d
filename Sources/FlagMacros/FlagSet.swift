public import FlagDomain

/// Makes a struct a set of flags: each is declared in one line, and read as a property.
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
/// The struct conforms to `NestableFlagSet`, so it can stand as a group in other sets too.
///
/// - Parameters:
///   - name: The set's name, from which the first component of its keys is made.
///   - key: What stands in keys instead of the name; an empty string adds nothing to the keys.
///   - description: What the set is for, in a sentence.
///   - displayName: A name for people; nil makes one from the name.
///   - isInternal: Whether browsers leave the set out.
///   - isLocked: Whether browsers may not change its flags.
///   - order: Where browsers show the set among its siblings, lowest first.
///   - owner: Who answers for the set.
///   - style: How names become keys, in this set and the groups inside it.
@attached(member, names: named(Flags), named(flags), named(flagManager), named(placedFlags), named(init))
@attached(extension, conformances: FlagSet, NestableFlagSet)
public macro FlagSet(
  _ name: String = "",
  key: String? = nil,
  _ description: String = "",
  displayName: String? = nil,
  isInternal: Bool = false,
  isLocked: Bool = false,
  order: Int = 0,
  owner: String? = nil,
  style: KeyStyle = KeyStyle()
) = #externalMacro(module: "FlagMacrosPlugin", type: "FlagSetMacro")
