import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagProviders
import FlagServer
import Foundation

struct ServeCommand: Command {
  private var options = ServeOptions()

  static var options: [Option<Self>] { ServeOptions.options.of(\.options) }
  static let help = ServeOptions.help

  func finish(_ operands: Operands) throws(UsageError) { try options.finish(operands) }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let tokens = try options.tokens(on: terminal)
    let stores = try stores(on: terminal)
    let log = LogWriter { text in try terminal.print(text) }
    let messages = stores.map { store in store.subscribe(Self.logger(of: store, on: terminal)) }
    let store =
      stores.count == 1 ? stores[0] : MergedDefinitionStore(stores, format: .inHouse(bucketing: options.bucketing))
    let service = FlagService(store, tickets: tokens == nil ? nil : Tickets())
    let mocks = options.vendors.flatMap { $0.routes(of: store, at: terminal.now) }
    let server: HTTPServer
    do {
      server = try HTTPServer(
        Service(service.routes + mocks, middleware: options.middleware(tokens: tokens, service)),
        host: options.address, port: options.port, threads: options.threads,
        environment: environment(service, log, on: terminal))
    } catch {
      throw .server("\(error)")
    }
    service.metrics.countConnections { [weak server] in server?.connections ?? 0 }
    defer { stop(server, stores, log, on: terminal) }
    try terminal.print("http://\(options.hostName):\(server.port)\n")
    terminal.waitForStop()
    withExtendedLifetime((messages, service)) {}
    return .success
  }
}

extension ServeCommand {
  private func stores(on terminal: Terminal) throws(ToolError) -> [any DefinitionStore] {
    var stores: [any DefinitionStore] = []
    for path in options.paths { stores.append(try FileDefinitionStore.opened(path, bucketing: options.bucketing)) }
    for address in try options.addresses(on: terminal) { stores.append(try terminal.store(at: address)) }
    return stores
  }

  private func environment(_ service: FlagService, _ log: LogWriter, on terminal: Terminal) -> ServerEnvironment {
    var environment = ServerEnvironment()
    let writesLog = options.writesAccessLog
    environment.observe = { request in
      service.observe(request)
      if writesLog { log.write(AccessLog.line(request, time: Self.time())) }
    }
    environment.refuse = { error, peer in
      service.metrics.record(refusal: error)
      if writesLog { log.write(AccessLog.line(error, from: peer, time: Self.time())) }
    }
    environment.report = { error, request in
      // The path without the query, which may contain a ticket.
      let path = String(request.message.target.prefix { $0 != "?" })
      terminal.printError("flagctl: \(request.message.method) \(path.excerpt): \(error)")
    }
    environment.observeListener = { terminal.printError("flagctl: \($0)") }
    return environment
  }

  private static func time() -> String { Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }

  /// Stops the server gracefully, within its time limit, and writes the rest of the log.
  private func stop(_ server: HTTPServer, _ stores: [any DefinitionStore], _ log: LogWriter, on terminal: Terminal) {
    terminal.wait {
      await server.stop()
      // The server's status in the store is withdrawn last: until then it serves.
      for store in stores { await (store as? any PublishedDefinitionStore)?.close() }
    }
    log.finish()
  }

  /// Returns a handler that reports a file's diagnostics, and that it was reloaded.
  private static func logger(
    of store: any DefinitionStore, on terminal: Terminal
  ) -> @Sendable (Result<StoredDefinitions, DefinitionStoreError>) -> Void {
    let file = store.name
    let isFirst = Locked(true)
    return { update in
      switch update {
      case .success(let definitions):
        terminal.print(ToolError.document(path: file, definitions.document.diagnostics))
        let wasFirst = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        if !wasFirst { terminal.printError("flagctl: \(file): served as it is now") }
      case .failure(let error):
        terminal.print(.store(error))
        let isServed = isFirst.withLock { !$0 }
        terminal.printError("flagctl: \(file): \(isServed ? "the last good document" : "nothing") is served")
      }
    }
  }
}
