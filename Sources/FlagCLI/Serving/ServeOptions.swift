import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagServer
import Foundation

/// The options of `flagctl serve`: the documents, the address, and access control.
struct ServeOptions: OptionGroup {
  private(set) var paths: [String] = []
  private(set) var fleet = FleetOptions()
  private var server: String?
  private(set) var bucketing = Bucketing.v3
  /// The address to listen on, without the brackets that IPv6 has in a URL.
  private(set) var address = "127.0.0.1"
  private(set) var port = 8016
  private(set) var threads = max(1, min(4, ProcessInfo.processInfo.activeProcessorCount))
  private(set) var writesAccessLog = false
  private(set) var vendors: [MockVendor] = []
  private var tokenFile: String?
  private var isInsecure = false
  private var allowedHosts: [String] = []
  private var origins: [String] = []

  static var options: [Option<Self>] {
    Option(
      "--flags", .files,
      """
      the documents, read again when they change; a later document's flag replaces an earlier one
      with the same key, and rules can use only the evaluators of their own document
      """, addingTo: \.paths)
    FleetOptions.options.of(\.fleet)
    Option(
      "--server", .setName(),
      """
      with --etcd: the name of this server in reports, which also decides whether it runs
      candidates (default: the host name)
      """, \.server)
    Option.bucketing(\.bucketing)
    accessOptions
    Option("--access-log", "writes a line of JSON for each request", \.writesAccessLog)
    Option(
      "--mock", .choice(called: "VENDOR"),
      """
      also serves a mock of launchdarkly or firebase with the documents' values under
      /mocks/VENDOR/flags; PUT and DELETE /mocks/VENDOR/outage begin and end an outage
      """
    ) { if !$0.vendors.contains($1) { $0.vendors.append($1) } }
    Option(
      "--threads", .integer(in: 1...64), "the number of threads (default: one a core, at most 4)",
      \.threads)
  }

  @OptionsBuilder<Self> private static var accessOptions: [Option<Self>] {
    Option("--host", .address, "the address to listen on (default: 127.0.0.1)", \.address)
    Option("--port", .port, "the port; 0 for any free one (default: 8016)", \.port)
    Option(
      "--token-file", .file, "the accepted tokens, one on each line; each request needs one of them",
      \.tokenFile)
    Option("--insecure", "serves other machines without a token", \.isInsecure)
    Option(
      "--allowed-host", .host,
      "a host name that requests may use, besides those of this machine; may be given several times",
      addingTo: \.allowedHosts)
    Option(
      "--cors-origin", .origin, "an origin whose pages may read answers, or *; may be given several times",
      addingTo: \.origins)
  }

  static let help = """
    Serves documents over HTTP, and evaluates their flags over OFREP, until it is stopped (SIGTERM, Ctrl-C).

    usage: flagctl serve --flags FILE... [option ...]
           flagctl serve --etcd URL[,URL...] --set NAME [--set NAME ...] [option ...]

    \(options.help())

    The first line of output is the URL. GET /flags.json, /flags/events, /metrics, /healthz and /readyz;
    POST /ofrep/v1/evaluate/flags and /ofrep/v1/evaluate/flags/KEY. If a document becomes
    invalid, the error is logged, and the last valid one is served. To serve other machines, a token or --insecure is
    required; there is no TLS, which is up to a proxy. A later set's flag replaces an earlier one with the same key.
    Until each set is published and etcd has answered, GET /readyz fails.

    """
}

extension OptionValue<String> {
  /// An address to listen on; an IPv6 address may have the brackets of a URL.
  fileprivate static var address: Self {
    Self(.text("HOST")) { $1.hasPrefix("[") && $1.hasSuffix("]") ? String($1.dropFirst().dropLast()) : $1 }
  }

  fileprivate static var host: Self {
    Self("NAME", "is a name without a port, such as flags.example.com") { text in
      HTTPHost(text).flatMap { $0.port == nil ? $0.name : nil }
    }
  }

  fileprivate static var origin: Self {
    Self("ORIGIN", "is * or an origin such as https://example.com") { text in
      if text == "*" { return text }
      let parts = text.split(separator: "://", maxSplits: 1)
      let isOrigin = parts.count == 2 && ["http", "https"].contains(parts[0]) && HTTPHost(String(parts[1])) != nil
      return isOrigin ? text : nil
    }
  }
}

extension ServeOptions {
  /// Validates the command line; operands after --flags are documents, and are not passed here.
  func finish(_ operands: Operands) throws(UsageError) {
    if let path = operands.words.first { throw UsageError("--flags is missing before \(path.excerpt)") }
    try check()
  }

  private func check() throws(UsageError) {
    if fleet.isUsed {
      if !paths.isEmpty { throw UsageError("--flags FILE or sets in etcd are enough, found both") }
      try fleet.checkSets()
    } else if paths.isEmpty {
      throw UsageError("--flags FILE is missing")
    } else if server != nil {
      throw UsageError("--server NAME is for sets in etcd, found --flags \(paths[0].excerpt)")
    }
    guard !isLoopback else { return }
    if tokenFile == nil, !isInsecure {
      throw UsageError("--host \(address.excerpt) is beyond this machine: --token-file FILE or --insecure is missing")
    }
    if isAnyAddress, allowedHosts.isEmpty {
      throw UsageError("--host \(address.excerpt) is every address: --allowed-host NAME is missing")
    }
  }
}

extension ServeOptions {
  var hostName: String { address.contains(":") ? "[\(address)]" : address }

  func addresses(on terminal: Terminal) throws(ToolError) -> [FleetAddress] {
    var addresses: [FleetAddress] = []
    for set in fleet.sets {
      var address = try fleet.address(of: set, on: terminal)
      address.server = server ?? terminal.hostName
      address.bucketing = bucketing
      addresses.append(address)
    }
    return addresses
  }

  private var isAnyAddress: Bool { ["0.0.0.0", "::", "0"].contains(address) }

  private var isLoopback: Bool {
    let numbers = address.split(separator: ".", omittingEmptySubsequences: false)
    return ["localhost", "::1"].contains(address.lowercased())
      || numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
  }

  /// Reads the accepted tokens; nil if none are required.
  func tokens(on terminal: Terminal) throws(ToolError) -> [String]? {
    guard let tokenFile else { return nil }
    let text = String(decoding: try terminal.contents(of: tokenFile), as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
    let tokens = lines.filter { !$0.isEmpty }
    guard !tokens.isEmpty else { throw .data("\(tokenFile): expected a token on a line, found none") }
    for token in tokens where !token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
      throw .data("\(tokenFile): expected visible characters of ASCII in each token, found others")
    }
    return tokens
  }

  /// Returns the checks of requests, in order: the host, the origin, the token.
  func middleware(tokens: [String]?, _ service: FlagService) -> [Middleware] {
    var names = Set(allowedHosts)
    if !isAnyAddress { names.insert(hostName) }
    var middleware = [Middleware.hosts(HostPolicy(allowsLoopback: isLoopback, names: names))]
    if !origins.isEmpty { middleware.append(.crossOrigin(CrossOriginPolicy(origins: Set(origins)))) }
    if let tokens {
      middleware.append(
        .tokens(TokenPolicy(tokens: tokens), except: FlagService.openPaths) { service.acceptsTicket($0) })
    }
    return middleware
  }
}
