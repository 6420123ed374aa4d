import FlagDomain
import FlagFoundation
import FlagHTTP

extension HTTPResponse {
  /// Returns the name of the proxy that refuses a request with 403; nil if the host itself seems to have answered.
  ///
  /// A proxy shows itself by its own fields, or by a page of HTML that has come through one. Of several proxies it is
  /// the one that is nearest to the host. The variable is the one of the environment that names a proxy which sees the
  /// request itself.
  func refusingProxy(named variable: String?) -> String? {
    guard status == .forbidden else { return nil }
    let passed = fields[.via].flatMap { $0.split(separator: ",").first }?.trimmingHTTPSpace
    // After the version of the protocol.
    let via = passed?.split(separator: " ", maxSplits: 1).dropFirst().first.map(String.init)
    if fields[.squidError] != nil { return (via ?? fields[.server] ?? "Squid").excerpt }
    // A proxy that has answered by itself says so by a parameter (RFC 9209, 2.1.1).
    let statuses = (fields[.proxyStatus] ?? "").split(separator: ",").map { $0.split(separator: ";") }
    let own = statuses.first { $0.dropFirst().contains { $0.trimmingHTTPSpace.hasPrefix("error=") } }
    if let name = own?.first { return name.trimmingHTTPSpace.filter { $0 != "\"" }.excerpt }
    let type = fields[.contentType].flatMap(MediaType.init)?.essence
    if type == "text/html", let via { return via.excerpt }
    return type == "application/json" ? nil : variable.map { "that \($0) names" }
  }
}

extension URL {
  /// The variable of the environment that names a proxy which sees requests to the address, if one may be in use.
  ///
  /// Foundation's session does not tell its proxies.
  var plainProxyVariable: String? {
    #if canImport(Glibc)
      guard scheme?.lowercased() == "http", HTTPHost(authority)?.isLoopback != true else { return nil }
      return CurlTransfer.proxy(for: "http", in: ProcessInfo.processInfo.environment)
    #else
      return nil
    #endif
  }
}
