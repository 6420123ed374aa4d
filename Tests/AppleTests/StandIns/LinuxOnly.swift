// What is wrong on Apple's systems, added to a target by a test that wants to see each of its errors. Where Linux is in
// sight, nothing of it is compiled, and so the errors are missing.

#if !canImport(Glibc) && !canImport(Musl) && !canImport(FoundationNetworking) && !os(Linux)
  func onlyOnLinux() {
    _ = epoll_create1(0)
    _ = [UInt8]().span
    let number: Int = "text"
  }
#endif
