public import FlagDomain

/// Declares a flag whose value follows from other flags of its set.
///
/// ```swift
/// @Flag("On for whom the team has chosen.") var own: Bool?
/// @Flag("On in the vendor's experiment.") var experiment = false
///
/// var quickAnswers: Bool {
///   @Derived("Answers beside the search field.") get { own ?? experiment }
/// }
/// ```
///
/// It is a flag as any other: listed, explained, followed and overridden; its value is derived again when a flag that
/// it reads changes. Reading it is no exposure to the flags that it reads. A flag that follows from itself is an error,
/// and has its default.
///
/// - Parameters:
///   - key: The complete key, used as is; nil derives it from the names of the set, the groups and the property.
///   - description: The purpose of the flag, in a sentence.
///   - defaultValue: The value while there are no other flags, as in a preview; nil for nil, false or an empty string.
///   - displayName: The name that people see; nil derives it from the property's name.
///   - isInternal: Whether consoles hide the flag.
///   - isLocked: Whether consoles must not change the flag; code and launch arguments still can.
///   - isOverridable: Whether the flag can be overridden, by anyone.
///   - isExperiment: Whether a read counts as an exposure of the user to the value.
///   - order: The position of the flag among its siblings in consoles, lowest first.
///   - owner: The person or team that is responsible for the flag.
///   - expires: The last day on which the flag should be in the code.
///   - presentation: The way consoles show and edit the flag.
@attached(body)
public macro Derived(
  key: String? = nil,
  _ description: String = "",
  default defaultValue: Any? = nil,
  displayName: String? = nil,
  isInternal: Bool = false,
  isLocked: Bool = false,
  isOverridable: Bool = true,
  isExperiment: Bool = false,
  order: Int = 0,
  owner: String? = nil,
  expires: CalendarDay? = nil,
  presentation: FlagPresentation = FlagPresentation()
) = #externalMacro(module: "FlagMacrosPlugin", type: "DerivedMacro")
