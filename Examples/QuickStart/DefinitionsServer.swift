import FlagProviders
import FlagServer
import Foundation

/// A server of a definitions file, at a port of its own, until it is stopped.
struct DefinitionsServer {
  private let server: HTTPServer

  init(serving file: URL) throws {
    let flags = FlagService(try FileDefinitionStore(following: file))
    server = try HTTPServer(Service(flags.routes))
  }

  /// Where the definitions are.
  var url: URL {
    var components = URLComponents()
    (components.scheme, components.host, components.port) = ("http", "127.0.0.1", server.port)
    components.path = "/flags.json"
    return components.url ?? URL(filePath: "/")
  }

  func stop() async { await server.stop() }
}
