// The system's C library, for every target that calls it. Besides, only the domain's lock and the statistics' functions
// import it, which stand below this module.

#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Android)
  @_exported public import Android
#else
  #error("This system is not known: add its C library here, in Locked.swift and in Double+Functions.swift.")
#endif
