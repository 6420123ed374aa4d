import FlagDefinitions
import FlagDomain
import FlagFiles
import FlagFleet
import FlagFoundation
import FlagHTTP
import FlagServer
import FlagServices
import FlagSupport

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
  private var tokenFile: String?
  private var isInsecure = false
  private var allowedHosts: [String] = []
  private var origins: [String] = []
  private var definitionsTokenFile: String?
  private var definitionsOrigins: [String] = []
  private(set) var servesDefinitions = true
  private(set) var pathPrefix = ""
  /// The time for which a server that is to stop still serves, and is not ready.
  private(set) var drainTime: Duration?

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
    proxyOptions
    Option("--access-log", "writes a line of JSON for each request", \.writesAccessLog)
    Option("--log-json", "writes the lines of standard error as JSON", \.writesJSON)
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
      "a name that requests may be for, besides those of this machine; may be given several times",
      addingTo: \.allowedHosts)
    Option(
      "--cors-origin", .origin, "an origin whose pages may read answers, or *; may be given several times",
      addingTo: \.origins)
    Option(
      "--definitions-token-file", .file,
      """
      the tokens for GET /flags.json, which shows all rules; the others then evaluate alone
      (default: those of --token-file)
      """, \.definitionsTokenFile)
    Option(
      "--definitions-cors-origin", .origin,
      "an origin whose pages may read /flags.json, or *; may be given several times", addingTo: \.definitionsOrigins)
    Option("--no-definitions", "serves answers alone, and no /flags.json", \.servesDefinitions, is: false)
    Option(
      "--drain", .seconds,
      "the time from SIGTERM for which GET /readyz fails and all else is served (default: 0)", \.drainTime)
  }

  @OptionsBuilder<Self> private static var proxyOptions: [Option<Self>] {
    Option(
      "--path-prefix", .pathPrefix,
      """
      the path under which a proxy serves this server, whether it removes it or not (default: the
      one of a trusted proxy's X-Forwarded-Prefix)
      """, \.pathPrefix)
    Option(
      "--trusted-proxy", .network,
      """
      a proxy, or a network of proxies, whose X-Forwarded-For names the client in logs and limits;
      may be given several times
      """, isRepeatable: true
    ) { _ = $0.limits.proxies.add($1) }
    Option(
      "--idle-timeout", .seconds,
      "the time after which an idle connection is closed, above that of the balancer (default: 75)",
      \.limits.idleTime)
  }
}

extension OptionValue<String> {
  /// An address to listen on; an IPv6 address may have the brackets of a URL.
  static var address: Self {
    Self(.text("HOST")) { $1.hasPrefix("[") && $1.hasSuffix("]") ? String($1.dropFirst().dropLast()) : $1 }
  }

  fileprivate static var host: Self {
    Self("NAME", "is a name without a port, such as flags.example.com") { text in
      HTTPHost(text).flatMap { $0.port == nil ? $0.name : nil }
    }
  }

  fileprivate static var pathPrefix: Self {
    Self("PATH", "is a path such as /flags") { text in
      TrustedProxies.prefix(text).flatMap { $0.isEmpty ? nil : $0 }
    }
  }

  static var network: Self {
    Self("ADDRESS", "is an address or a network, such as 10.0.0.0/8") { text in
      var proxies = TrustedProxies()
      return proxies.add(text) ? text : nil
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
    try fleet.checkSets(orFiles: paths, format)
    if let path = paths.first, let option = fleetOption {
      throw UsageError("\(option) is for sets in etcd, found --flags \(path.excerpt)")
    }
    guard !isLoopback else { return }
    if tokenFile == nil, !isInsecure {
      throw UsageError("--host \(address.excerpt) is beyond this machine: --token-file FILE or --insecure is missing")
    }
  }

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

  private var isLoopback: Bool {
    let numbers = address.split(separator: ".", omittingEmptySubsequences: false)
    return ["localhost", "::1"].contains(address.lowercased())
      || numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
  }

  /// Reads the accepted tokens; nil for what needs none.
  func tokens(on terminal: Terminal) throws(ToolError) -> ServerTokens {
    let definitions = try definitionsTokenFile.map { path throws(ToolError) in try Self.tokens(path, on: terminal) }
    let others = try tokenFile.map { path throws(ToolError) in try Self.tokens(path, on: terminal) }
    return ServerTokens(
      evaluation: others.map { TokenPolicy(tokens: $0 + (definitions ?? [])) },
      definitions: (definitions ?? others).map { TokenPolicy(tokens: $0) })
  }

  private static func tokens(_ tokenFile: String, on terminal: Terminal) throws(ToolError) -> [String] {
    let text = String(decoding: try terminal.contents(of: tokenFile), as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline).map { String($0).trimmingSpaces }
    let tokens = lines.filter { !$0.isEmpty }
    guard !tokens.isEmpty else { throw .data("\(tokenFile): expected a token on a line, found none") }
    for token in tokens where !token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
      throw .data("\(tokenFile): expected visible characters of ASCII in each token, found others")
    }
    return tokens
  }

  /// Calls a closure whenever a file of tokens changes, until the result is released.
  func followTokens(onChange: @escaping @Sendable () -> Void) -> [FileFollower] {
    [tokenFile, definitionsTokenFile].compactMap(\.self).map { path in
      FileFollower(SharedFile(URL(filePath: path))) { _ in onChange() }
    }
  }

  /// Reads the tokens again; if they cannot be read, those of before count.
  func reload(_ tokens: borrowing Locked<ServerTokens>, _ log: ServerLog) {
    do throws(ToolError) {
      let new = try self.tokens(on: log.terminal)
      tokens.withLock { $0 = new }
    } catch {
      for line in error.lines { log.write("the tokens of before count: \(line)") }
    }
  }

  /// The components of the path before those of routes.
  var prefixComponents: [String] { pathPrefix.split(separator: "/").map(String.init) }

  /// Returns the checks of requests, in order: the host, the origin, the token.
  func middleware(
    tokens: @escaping @Sendable () -> ServerTokens, _ service: FlagService
  ) -> [Middleware] {
    let names = Set(allowedHosts + [hostName])
    let hosts = HostPolicy(allowsLoopback: true, allowsOwnAddress: true, names: names)
    var middleware = [Middleware.hosts(hosts, except: FlagService.openPaths)]
    if !origins.isEmpty {
      middleware.append(
        .crossOrigin(CrossOriginPolicy(origins: Set(origins))) { !FlagService.isDefinitions($0) })
    }
    middleware.append(
      .crossOrigin(
        CrossOriginPolicy(origins: Set(definitionsOrigins)), refusesOthers: true, where: FlagService.isDefinitions))
    middleware.append(
      .tokens(except: FlagService.openPaths, orWhere: service.acceptsTicket) { target in
        FlagService.isDefinitions(target) ? tokens().definitions : tokens().evaluation
      })
    return middleware
  }
}

/// The tokens of requests, by what they are for; nil for what needs none.
struct ServerTokens: Sendable {
  /// Those of all but the definitions, whose own are among them.
  var evaluation: TokenPolicy?
  var definitions: TokenPolicy?
}
