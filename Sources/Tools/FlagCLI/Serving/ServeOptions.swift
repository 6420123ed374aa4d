import FlagDefinitions
import FlagDomain
import FlagFleet
import FlagHTTP
import FlagProviders
import FlagServer
import Foundation

/// The options of `flagctl serve`: the documents, the address, and access control.
struct ServeOptions: OptionGroup {
  private(set) var paths: [String] = []
  private(set) var fleet = FleetOptions()
  private var server: String?
  private var cache: String?
  private var idleLimit: Duration?
  private var lease: Duration?
  /// The age of the last confirmation above which the server is not ready; nil for any.
  private(set) var maximumAge: Duration?
  private(set) var format = FormatOptions()
  /// The address to listen on, without the brackets that IPv6 has in a URL.
  private(set) var address = "127.0.0.1"
  private(set) var port = 8016
  private(set) var threads = max(1, min(4, ProcessInfo.processInfo.activeProcessorCount))
  private(set) var limits = ServerLimits()
  private(set) var writesAccessLog = false
  private(set) var writesJSON = false
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
    fleetOptions
    FormatOptions.options.of(\.format)
    accessOptions
    Option("--access-log", "writes a line of JSON for each request", \.writesAccessLog)
    Option("--log-json", "writes the lines of standard error as JSON", \.writesJSON)
    Option(
      "--mock", .choice(called: "VENDOR"),
      """
      also serves a mock of launchdarkly or firebase with the documents' values under
      /mocks/VENDOR/flags; PUT and DELETE /mocks/VENDOR/outage begin and end an outage
      """, isRepeatable: true
    ) { if !$0.vendors.contains($1) { $0.vendors.append($1) } }
    Option(
      "--threads", .integer(in: 1...64), "the number of threads (default: one a core, at most 4)",
      \.threads)
    Option(
      "--connections", .integer(in: 1...1_000_000),
      "the number of connections, besides a few for health checks (default: 2048)", \.limits.connections)
    Option(
      "--peer-connections", .integer(in: 1...1_000_000),
      "the number of connections of one address, such as that of a proxy (default: half of them)"
    ) { $0.limits.peerConnections = $1 }
  }

  @OptionsBuilder<Self> private static var fleetOptions: [Option<Self>] {
    Option(
      "--cache", .text("DIR"),
      """
      with --etcd: a folder for the last good document of each set, from which a server starts
      while etcd is away; one for each cluster
      """, \.cache)
    Option(
      "--max-stale", .seconds,
      """
      with --etcd: GET /readyz fails if etcd has not confirmed the definitions for this long
      (default: it never does)
      """, \.maximumAge)
    Option(
      "--etcd-idle-limit", .seconds,
      "the silence after which a member is asked (default: 30, at most a third of --max-stale)", \.idleLimit)
    Option(
      "--etcd-lease", .seconds,
      "the time after which a server that stopped reporting is absent (default: 60)", \.lease)
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
    Until each set is published and etcd has answered, or a kept copy was read, GET /readyz fails. SIGHUP reads all
    definitions again.

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
      try format.checkSets()
      try fleet.checkSets()
    } else if paths.isEmpty {
      throw UsageError("--flags FILE is missing")
    } else if let option = fleetOption {
      throw UsageError("\(option) is for sets in etcd, found --flags \(paths[0].excerpt)")
    }
    try format.check(documents: paths.count)
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
  /// An option that was given, and is for sets in etcd alone.
  private var fleetOption: String? {
    if server != nil { return "--server NAME" }
    if cache != nil { return "--cache DIR" }
    if maximumAge != nil { return "--max-stale SECONDS" }
    if idleLimit != nil { return "--etcd-idle-limit SECONDS" }
    return lease == nil ? nil : "--etcd-lease SECONDS"
  }

  var hostName: String { address.contains(":") ? "[\(address)]" : address }

  func addresses(_ log: ServerLog) throws(ToolError) -> [FleetAddress] {
    var addresses: [FleetAddress] = []
    let name = server ?? log.terminal.hostName
    for set in fleet.sets {
      var address = try fleet.address(of: set, on: log.terminal)
      address.server = name
      address.bucketing = format.bucketing
      if let cache { address.settings.cache = AnswerCache(in: URL(filePath: cache)) }
      if let lease { address.settings.reportLifetime = lease }
      if let idleLimit { address.settings.idleLimit = idleLimit }
      // So that a confirmation that is late is not taken for one that is missing.
      if let maximumAge { address.settings.idleLimit = min(address.settings.idleLimit, maximumAge / 3) }
      let store = "etcd \(address.settings.prefix)/\(set)"
      address.settings.onCacheError = { log.write("--cache: \($0.message)", store: store) }
      address.settings.onNameShared = { log.write("another server reports as \(name.excerpt), too", store: store) }
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
