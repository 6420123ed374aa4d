package import FlagHTTP

/// The hosts that requests may be for.
///
/// A page of a foreign site can make a browser send requests to the machine that it runs on, by resolving its own name
/// to that machine's address (DNS rebinding). Such a request names the foreign host, and is refused.
package struct HostPolicy: Hashable, Sendable {
  /// Whether localhost, 127.0.0.1 and [::1] are allowed, with any port.
  package let allowsLoopback: Bool
  /// Whether the address that a client is connected to is allowed: no name of a foreign site is an address.
  package let allowsOwnAddress: Bool
  package let names: Set<String>

  /// Creates a policy; names are as in the field, without a port, and not case-sensitive.
  package init(allowsLoopback: Bool, allowsOwnAddress: Bool = false, names: Set<String> = []) {
    self.allowsLoopback = allowsLoopback
    self.allowsOwnAddress = allowsOwnAddress
    self.names = Set(names.map { $0.lowercased() })
  }

  /// Returns whether requests may be for a host; always false if the host cannot be parsed.
  package func allows(_ host: HTTPHost?, at local: String = "") -> Bool {
    guard let host else { return false }
    if allowsLoopback && host.isLoopback || names.contains(host.name) { return true }
    return allowsOwnAddress && !local.isEmpty && (host.name == local || host.name == "[\(local)]")
  }
}
