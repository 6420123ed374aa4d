public import FlagConsole
public import FlagConsoleEditor
import FlagHTTP
import FlagServer

/// A server for the pages of a console, for one browser on this machine.
///
/// ```swift
/// let server = try FlagConsoleServer(console)
/// print(server.url)  // opens one browser, once
/// ```
///
/// It listens on the loopback interface only, until it is stopped or released. If the system closes its socket, as iOS
/// does when it suspends the app, it listens again on the same port.
public final class FlagConsoleServer: Sendable {
  /// The address to open, which works once and is a secret until then.
  public let url: String
  private let server: HTTPServer
  private let service: ConsoleService

  /// Starts serving a console.
  ///
  /// - Parameters:
  ///   - console: The console to show.
  ///   - port: The port; 0 lets the system choose one.
  ///   - generator: The source of the secrets; it must be cryptographically secure, as the system's is.
  ///   - log: A closure that receives a line of text when the system has closed the socket, and when the console can be
  ///     reached again; it is called on a thread of the server and must not block.
  /// - Throws: A ``FlagConsoleError`` with the system's error message if it cannot listen on the port.
  public convenience init(
    _ console: ConsoleModel, port: Int = 0,
    using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(FlagConsoleError) {
    try self.init(of: FlagEnvironments(alone: console), port, generator, log)
  }

  /// Starts serving the consoles of several environments, each below its name.
  ///
  /// - Parameters:
  ///   - environments: The environments to show; the pages begin with the first one.
  ///   - port: The port; 0 lets the system choose one.
  ///   - generator: The source of the secrets; it must be cryptographically secure, as the system's is.
  ///   - log: A closure that receives lines of text, as for a single console.
  /// - Throws: A ``FlagConsoleError`` with the system's error message if it cannot listen on the port.
  public convenience init(
    _ environments: FlagEnvironments, port: Int = 0,
    using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(FlagConsoleError) {
    try self.init(of: environments, port, generator, log)
  }

  private convenience init(
    of environments: FlagEnvironments, _ port: Int, _ generator: some RandomNumberGenerator & Sendable,
    _ log: @escaping @Sendable (String) -> Void
  ) throws(FlagConsoleError) {
    let secrets = ConsoleSecrets(ConsoleSecrets.source(generator))
    let place = ConsolePlace.root.hidden(below: secrets.path)
    let service = ConsoleService(environments, ConsoleGate(secrets, at: place), at: place)
    try self.init(service, service.service, port: port, log) { port in
      "http://127.0.0.1:\(port)\(place.base)/start?token=\(secrets.token)"
    }
  }

  /// Starts serving consoles to those whom a proxy signs in; each has a session of their own in each browser.
  ///
  /// - Throws: A ``FlagConsoleError`` if the origin is malformed, or with the system's message if it cannot listen.
  package convenience init(
    _ environments: FlagEnvironments, for team: ConsoleTeam, port: Int = 0,
    using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(FlagConsoleError) {
    let place = try ConsolePlace(path: "", origin: team.origin)
    let secret = ConsoleSecrets.source(generator)
    let secrets = ConsoleSecrets(secret)
    let service = ConsoleService(
      environments, ConsoleGate(secrets, at: place, isOpen: true), at: place,
      sessions: ConsoleVisitors.Cookie(name: "console-\(secrets.name)", makeValue: secret))
    try self.init(service, service.service(for: team), host: team.host, port: port, behind: team.proxies, log) { _ in
      team.origin + "/"
    }
  }

  private init(
    _ service: ConsoleService, _ routes: Service, host: String = "127.0.0.1", port: Int,
    behind proxies: TrustedProxies = TrustedProxies(), _ log: @escaping @Sendable (String) -> Void,
    url: (_ port: Int) -> String
  ) throws(FlagConsoleError) {
    var environment = ServerEnvironment()
    environment.observeListener = { log("the console: \($0)") }
    var limits = ServerLimits()
    limits.request.body = Self.longestForm
    limits.proxies = proxies
    do {
      server = try HTTPServer(routes, host: host, port: port, limits: limits, environment: environment)
    } catch {
      throw FlagConsoleError(description: "\(error)", isOfPort: error.isOfPort)
    }
    (self.service, self.url) = (service, url(server.port))
  }

  /// The port that the server listens on.
  package var port: Int { server.port }

  /// The maximum bytes of a form: those of the largest import, each of which may be sent as three, and its fields.
  private static let longestForm = 4 * ConsoleModel.maximumImport

  /// Stops the server, and returns after all streams and requests have ended.
  public func stop() async { await server.stop() }
}
