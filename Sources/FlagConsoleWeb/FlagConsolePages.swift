public import FlagConsole
import FlagHTTP
import FlagServer

/// The pages of a console, to be mounted in a server of the app's own, below a path.
///
/// ```swift
/// let pages = try FlagConsolePages(console, at: "/admin/flags", origin: "https://example.com", access: .server)
/// // In the server, for every method, at that path and everything below it:
/// let response = await pages.response(to: request)
/// ```
///
/// Whatever the server calls a request and a response, each is made of the other in a few lines. It may be asked from
/// any thread, and knows no server.
public final class FlagConsolePages: Sendable {
  /// Where a browser begins; with ``Access/link`` it works once, and is a secret until then.
  public let start: String
  private let service: ConsoleService

  /// Who may see and change flags.
  public enum Access: Hashable, Sendable {
    /// One browser, which opens ``FlagConsolePages/start``, and by a cookie from then on.
    case link
    /// Whomever the server lets come here, by a login of its own.
    case server
  }

  /// Creates pages.
  ///
  /// - Parameters:
  ///   - console: What is shown.
  ///   - path: The path that they are below as browsers see it, of letters, digits and `-._~`: "/admin/flags"; empty
  ///     for all of the server.
  ///   - origin: Where browsers find the server, as they write it: "https://example.com". Requests for another host,
  ///     and forms of another origin, are refused. Nil for this machine by its loopback names and any port, over HTTP.
  ///   - access: Who may come.
  ///   - generator: Makes the secrets; it must not be guessed, as the system's cannot be.
  /// - Throws: A ``FlagConsoleError`` where the path or the origin is none.
  public init(
    _ console: FlagBrowser, at path: String = "", origin: String? = nil, access: Access = .link,
    using generator: some RandomNumberGenerator = SystemRandomNumberGenerator()
  ) throws(FlagConsoleError) {
    let place = try ConsolePlace(path: path, origin: origin)
    var generator = generator
    let secrets = ConsoleSecrets(&generator)
    service = ConsoleService(console, ConsoleGate(secrets, at: place, isOpen: access == .server), at: place)
    start = access == .server ? place.base + "/" : "\(place.base)/start?token=\(secrets.token)"
  }
}

extension FlagConsolePages {
  /// A field of a message's header.
  public struct Field: Hashable, Sendable {
    /// Its name, whose case does not count.
    public var name: String
    /// Its value.
    public var value: String

    /// Creates a field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A request as a server has it.
  public struct Request: Hashable, Sendable {
    /// The method: "GET".
    public var method: String
    /// The target as it was sent, with the whole path and the query: "/admin/flags/?q=page".
    public var target: String
    /// The header; `Host`, `Origin` and `Cookie` are needed.
    public var fields: [Field]
    /// The content; a server bounds its size, to 2 MB for the largest import.
    public var body: [UInt8]

    /// Creates a request.
    public init(_ method: String, _ target: String, fields: [Field], body: [UInt8] = []) {
      self.method = method
      self.target = target
      self.fields = fields
      self.body = body
    }
  }

  /// A response as a server sends it.
  public struct Response: Sendable {
    /// The content of a response.
    public enum Body: Sendable {
      /// All of it; none to a request of the method HEAD.
      case bytes([UInt8])
      /// Events, each to be sent at once, until the client is gone or the stream ends.
      case events(AsyncStream<[UInt8]>)
    }

    /// The status code.
    public let status: Int
    /// The header, without the fields that frame the message.
    public let fields: [Field]
    /// The content.
    public let body: Body
  }

  /// Returns what a request is answered: 404 for a path that is not below that of the pages, 401 for who may not come.
  public func response(to request: Request) async -> Response {
    guard let method = HTTPMethod(request.method) else { return Response(HTTPResponse(plain: .badRequest)) }
    var message = HTTPRequest(method, request.target, body: request.body)
    for field in request.fields {
      if let name = HTTPFieldName(field.name) { message.fields.append(name, field.value) }
    }
    switch await service.service.reply(to: message) {
    case .response(var response):
      if method == .head { response.body = [] }
      return Response(response)
    case .events(let feed, var fields):
      fields[.contentType] = "text/event-stream; charset=utf-8"
      if method == .head { return Response(.ok, fields, .bytes([])) }
      return Response(.ok, fields, .events(feed.events(after: message.fields[.lastEventID])))
    }
  }
}

extension FlagConsolePages.Response {
  fileprivate init(_ response: HTTPResponse) { self.init(response.status, response.fields, .bytes(response.body)) }

  fileprivate init(_ status: HTTPStatus, _ fields: HTTPFields, _ body: Body) {
    self.init(
      status: status.code, fields: fields.all.map { FlagConsolePages.Field($0.name.text, $0.value) }, body: body)
  }
}
