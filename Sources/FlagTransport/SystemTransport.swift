#if canImport(Glibc)
  /// What sends requests on this platform.
  package typealias SystemTransport = CurlTransport
#else
  /// What sends requests on this platform.
  package typealias SystemTransport = URLSessionTransport
#endif
