public import FlagDomain

/// Declares a group: another set of flags, whose keys start with those of this set.
///
/// ```swift
/// @FlagGroup("Posts with videos.") public var video: VideoFlags
/// ```
///
/// A group of a set that is internal or locked is, too; what the group leaves out of owner and presentation is its
/// set's.
///
/// - Parameters:
///   - key: The component of keys to use instead of the property's name; an empty string for no component.
///   - description: The purpose of the group; nil for the description of its own set.
///   - displayName: The name that people see; nil derives it from the property's name.
///   - isInternal: Whether consoles hide the group.
///   - isLocked: Whether consoles must not change its flags.
///   - isOverridable: Whether its flags can be overridden, by anyone.
///   - order: The position of the group among its siblings in consoles, lowest first.
///   - owner: The person or team that is responsible for the group.
///   - providers: The names of the only providers that are queried for its flags; nil for all.
///   - excludedProviders: The names of the providers that are skipped for its flags.
///   - presentation: The way consoles show the group: its icon, and whether it has a list of its own.
@attached(accessor)
public macro FlagGroup(
  key: String? = nil,
  _ description: String? = nil,
  displayName: String? = nil,
  isInternal: Bool = false,
  isLocked: Bool = false,
  isOverridable: Bool = true,
  order: Int = 0,
  owner: String? = nil,
  providers: Set<String>? = nil,
  excludedProviders: Set<String> = [],
  presentation: FlagPresentation = FlagPresentation()
) = #externalMacro(module: "FlagMacrosPlugin", type: "FlagGroupMacro")
