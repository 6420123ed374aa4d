// Foundation, for every target that needs one: its essentials where they are a module of their own, since the rest
// brings the data of all languages along, 34 MB of it.

#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif
