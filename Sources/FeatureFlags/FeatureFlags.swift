@_exported public import FlagComposition
@_exported public import FlagDomain
@_exported public import FlagMacros
@_exported public import FlagProviders

#if canImport(Darwin)
  @_exported public import FlagUserDefaults
#endif
