public import FlagConsole
import FlagHTTP
import FlagServer

/// A console as pages, served to one browser on this machine.
///
/// ```swift
/// let server = try FlagConsoleServer(console)
/// print(server.url)  // opens one browser, once
/// ```
///
/// It listens on the loopback interface alone, and serves until it is stopped or released. If the system closes its
/// socket, as iOS does when it suspends the app, it listens again on the same port.
public final class FlagConsoleServer: Sendable {
  /// The address to open: it works once, and is a secret until then.
  public let url: String
  private let server: HTTPServer
  private let service: ConsoleService

  /// Serves a console.
  ///
  /// - Parameters:
  ///   - console: What is shown.
  ///   - port: The port; at 0 the system chooses one.
  ///   - generator: Makes the secrets; it must not be guessed, as the system's cannot be.
  ///   - log: Receives a line of text when the system has closed the socket, and when the console can be reached again;
  ///     on a thread of the server, which it must not block.
  /// - Throws: A ``FlagConsoleError`` with what the system says where it cannot listen there.
  public init(
    _ console: FlagBrowser, port: Int = 0, using generator: some RandomNumberGenerator = SystemRandomNumberGenerator(),
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(FlagConsoleError) {
    var generator = generator
    let secrets = ConsoleSecrets(&generator)
    service = ConsoleService(console, ConsoleGate(secrets))
    var environment = ServerEnvironment()
    environment.observeListener = { log("the console: \($0)") }
    do {
      server = try HTTPServer(service.service, port: port, environment: environment)
    } catch {
      throw FlagConsoleError(description: "\(error)")
    }
    url = "http://127.0.0.1:\(server.port)/start?token=\(secrets.token)"
  }

  /// Ends streams and requests, and returns when all is over.
  public func stop() async { await server.stop() }
}
