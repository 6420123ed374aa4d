/// Makes a property a group: another set of flags, whose keys start with this set's.
///
/// ```swift
/// @FlagGroup("Posts with videos.") public var video: VideoFlags
/// ```
///
/// - Parameters:
///   - key: What stands in keys instead of the property's name; an empty string adds nothing to the keys.
///   - description: What the group is for; nil leaves it the description of its own set.
///   - displayName: A name for people; nil makes one from the property's name.
///   - isInternal: Whether browsers leave the group out.
///   - isLocked: Whether browsers may not change its flags.
///   - order: Where browsers show the group among its siblings, lowest first.
///   - owner: Who answers for the group.
@attached(accessor)
public macro FlagGroup(
  key: String? = nil,
  _ description: String? = nil,
  displayName: String? = nil,
  isInternal: Bool = false,
  isLocked: Bool = false,
  order: Int = 0,
  owner: String? = nil
) = #externalMacro(module: "FlagMacrosPlugin", type: "FlagGroupMacro")
