#if canImport(Glibc)
  package typealias SystemTransport = CurlTransport
#else
  package typealias SystemTransport = URLSessionTransport
#endif
