import FlagDefinitions
import FlagDomain
import FlagFoundation
import FlagHTTP
import FlagProviders
import FlagPublishing
import FlagServer

struct ServeCommand: Command {
  private var options = ServeOptions()

  static var options: [Option<Self>] { ServeOptions.options.of(\.options) }

  static let summary = """
    Serves documents over HTTP, and evaluates their flags over OFREP, until it is stopped (SIGTERM, Ctrl-C).
    """
  static let usage = """
    serve --flags FILE... [option ...]
    serve --etcd URL --set NAME [--set NAME ...] [option ...]
    """
  static let example = "serve --flags flags.json"
  static let notes = """
    The first line of output is the URL. GET /flags.json, /flags/events, /metrics, /healthz and /readyz;
    POST /ofrep/v1/evaluate/flags and /ofrep/v1/evaluate/flags/KEY. If a document becomes
    invalid, the error is logged, and the last valid one is served. To serve other machines, a token or --insecure is
    required; there is no TLS, which is up to a proxy. A later set's flag replaces an earlier one with the same key.
    Until each set is published and etcd has answered, or a kept copy was read, GET /readyz fails. SIGHUP reads all
    definitions and tokens again.
    """

  func finish(_ operands: Operands) throws(UsageError) { try options.finish(operands) }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let tokens = Locked(try options.tokens(on: terminal))
    let log = ServerLog(terminal: terminal, isJSON: options.writesJSON)
    let hangup = Locked<@Sendable () -> Void>({})
    terminal.onReload { hangup.withLock { $0 }() }
    let stores = try stores(log)
    let followers = options.followTokens { [options] in options.reload(tokens, log) }
    hangup.withLock { [options] in
      $0 = {
        options.reload(tokens, log)
        Self.reload(stores, log)
      }
    }
    let accessLog = LogWriter { text in try terminal.print(text) }
    let messages = stores.map { store in store.subscribe(log.updates(of: store.name)) }
    let store =
      stores.count == 1 ? stores[0] : MergedDefinitionStore(stores, format: options.format.format)
    var serving = FlagService.Options()
    serving.maximumAge = options.maximumAge
    serving.tickets = tokens.withLock { $0.evaluation } == nil ? nil : Tickets()
    serving.servesDefinitions = options.servesDefinitions
    serving.pathPrefix = options.pathPrefix
    let service = FlagService(store, of: stores, options: serving)
    let server = try mapError(
      try HTTPServer(
        Service(
          service.routes, middleware: options.middleware(tokens: { tokens.withLock { $0 } }, service),
          compresses: true, prefix: options.prefixComponents),
        host: options.address, port: options.port, threads: options.threads, limits: options.limits,
        environment: environment(service, accessLog, log)), ToolError.listening)
    service.metrics.countConnections { [weak server] in server?.connections ?? 0 }
    defer { stop(server, stores, accessLog, on: terminal) }
    let url = "http://\(options.hostName):\(server.port)"
    try terminal.print("\(url)\n")
    let served = service.summary.map { "flags: \($0.flags), of the version \($0.version)" } ?? "no definitions yet"
    log.write("version \(PackageVersion.text) serves at \(url); \(served)", isError: false)
    terminal.waitForStop()
    drain(service, log)
    log.write("version \(PackageVersion.text) stops at \(url)", isError: false)
    withExtendedLifetime((messages, service, followers)) {}
    return .success
  }

  private func stores(_ log: ServerLog) throws(ToolError) -> [any DefinitionStore] {
    var stores: [any DefinitionStore] = []
    for path in options.paths {
      stores.append(try log.terminal.store(reading: path, format: options.format.format))
    }
    for address in try options.addresses(log) { stores.append(try log.terminal.store(at: address)) }
    return stores
  }

  /// Reads all definitions again; a failure is logged as any other of the store, and here if it is the same as before.
  private static func reload(_ stores: [any DefinitionStore], _ log: ServerLog) {
    for store in stores {
      Task {
        do throws(DefinitionStoreError) {
          try await store.refresh()
          let revision = store.current?.version.revision
          log.write("read again, as SIGHUP asks for", store: store.name, revision: revision, isError: false)
        } catch {
          log.write("cannot be read again: \(error.message)", store: store.name)
        }
      }
    }
  }

  /// Serves on for a time, and is not ready, so that balancers send requests elsewhere.
  private func drain(_ service: FlagService, _ log: ServerLog) {
    if let time = options.drainTime {
      service.beginDraining()
      log.write("not ready from now on; stops in \(time)", isError: false)
      log.terminal.wait { await log.terminal.pause(time) }
    }
  }

  private func environment(
    _ service: FlagService, _ accessLog: LogWriter, _ log: ServerLog
  ) -> ServerEnvironment {
    var environment = ServerEnvironment()
    let writesLog = options.writesAccessLog
    environment.observe = { request in
      service.observe(request)
      if writesLog { accessLog.write(AccessLog.line(request, time: Self.time())) }
    }
    environment.refuse = { error, peer in
      service.metrics.record(refusal: error)
      if writesLog { accessLog.write(AccessLog.line(error, from: peer, time: Self.time())) }
    }
    environment.report = { error, request in
      // The path without the query, which may contain a ticket.
      let path = String(request.message.target.prefix { $0 != "?" })
      log.write("\(request.message.method) \(path.excerpt): \(error)")
    }
    environment.observeListener = { log.write("\($0)") }
    return environment
  }

  private static func time() -> String { Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }

  /// Stops the server gracefully, within its time limit, and writes the rest of the log.
  private func stop(_ server: HTTPServer, _ stores: [any DefinitionStore], _ log: LogWriter, on terminal: Terminal) {
    terminal.wait {
      await server.stop()
      // The server's status in the stores is withdrawn last: until then it serves.
      await withTaskGroup { group in
        for case let store as any PublishedDefinitionStore in stores { group.addTask { await store.close() } }
      }
    }
    log.finish()
  }
}
