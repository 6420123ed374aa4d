extension HTTPHost {
  /// Whether the host is on the local network, other than the machine itself: a name without a domain or in `.local`,
  /// or a private or link-local address.
  package var isOnLocalNetwork: Bool {
    guard !isLoopback else { return false }
    if name.hasPrefix("[") { return isLocalIPv6Address }
    let parts = name.split(separator: ".")
    let numbers = parts.compactMap { UInt8($0) }
    guard numbers.count == 4, parts.count == 4 else { return parts.count == 1 || parts.last == "local" }
    switch (numbers[0], numbers[1]) {
    case (10, _), (172, 16...31), (192, 168), (169, 254): return true
    default: return false
    }
  }

  /// Whether an IPv6 address is link-local (`fe80::/10`) or unique local (`fc00::/7`).
  private var isLocalIPv6Address: Bool {
    guard let first = name.dropFirst().split(separator: ":", omittingEmptySubsequences: false).first,
      let group = UInt16(first, radix: 16)
    else { return false }
    return group & 0xFFC0 == 0xFE80 || group & 0xFE00 == 0xFC00
  }
}
