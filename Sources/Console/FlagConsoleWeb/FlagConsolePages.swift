public import FlagConsole
public import FlagConsoleEditor
import FlagHTTP
import FlagServer

/// The pages of a console, to be mounted in the app's own server, below a path.
///
/// ```swift
/// let pages = try FlagConsolePages(console, at: "/admin/flags", origin: "https://example.com", access: .server)
/// // In the server, for every method, at that path and everything below it:
/// let response = await pages.response(to: request)
/// ```
///
/// The types for requests and responses do not depend on a server framework: converting them takes a few lines.
/// Requests can be handled on any thread.
public final class FlagConsolePages: Sendable {
  /// The address to open in a browser; with ``Access/link`` it works once, and is a secret until then.
  public let start: String
  private let service: ConsoleService
  private let policy: (@Sendable (Request) -> FlagConsolePerson?)?

  /// The access to the pages, which allow reading and changing flags.
  public enum Access: Sendable {
    /// Access for one browser, which opens ``FlagConsolePages/start`` and is known by a cookie from then on.
    ///
    /// The pages are below a secret path below the base path.
    case link
    /// Access for everyone whom the server lets in, by a login of its own.
    ///
    /// Each browser has a user to ask as and an undo history of its own; the program's user stays.
    case server
    /// Access for those whom the app knows: it says, for each request, who the person is, and what they may do.
    ///
    /// The closure is called once for each request, on any thread; nil refuses it with status 401. Each person has a
    /// session of their own in each browser, and one that begins anew if what they may do changes.
    case policy(@Sendable (Request) -> FlagConsolePerson?)
  }

  /// Creates pages.
  ///
  /// - Parameters:
  ///   - console: The console to show.
  ///   - path: The base path as browsers see it, of letters, digits and `-._~`: "/admin/flags"; empty for the root of
  ///     the server.
  ///   - origin: The server's origin, as browsers send it: "https://example.com". Requests for another host, and forms
  ///     of another origin, are refused. Nil for this machine by its loopback names and any port, over HTTP.
  ///   - access: The kind of access control.
  ///   - generator: The source of the secrets; it must be cryptographically secure, as the system's is.
  /// - Throws: A ``FlagConsoleError`` if the path or the origin is malformed.
  public convenience init(
    _ console: ConsoleModel, at path: String = "", origin: String? = nil, access: Access = .link,
    using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) throws(FlagConsoleError) {
    try self.init(of: FlagEnvironments(alone: console), at: path, origin: origin, access, generator)
  }

  /// Creates pages of several environments, each below its name: "/admin/flags/dev/".
  ///
  /// - Parameters:
  ///   - environments: The environments to show; the pages begin with the first one.
  ///   - path: The base path, as for a single console.
  ///   - origin: The server's origin, as for a single console.
  ///   - access: The kind of access control.
  ///   - generator: The source of the secrets; it must be cryptographically secure, as the system's is.
  /// - Throws: A ``FlagConsoleError`` if the path or the origin is malformed.
  public convenience init(
    _ environments: FlagEnvironments, at path: String = "", origin: String? = nil, access: Access = .link,
    using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) throws(FlagConsoleError) {
    try self.init(of: environments, at: path, origin: origin, access, generator)
  }

  private init(
    of environments: FlagEnvironments, at path: String, origin: String?, _ access: Access,
    _ generator: some RandomNumberGenerator & Sendable
  ) throws(FlagConsoleError) {
    let place = try ConsolePlace(path: path, origin: origin)
    let secret = ConsoleSecrets.source(generator)
    let secrets = ConsoleSecrets(secret)
    switch access {
    case .link:
      let hidden = place.hidden(below: secrets.path)
      service = ConsoleService(environments, ConsoleGate(secrets, at: hidden), at: hidden)
      start = "\(hidden.base)/start?token=\(secrets.token)"
    case .server, .policy:
      let sessions = ConsoleVisitors.Cookie(name: "console-\(secrets.name)", makeValue: secret)
      service = ConsoleService(
        environments, ConsoleGate(secrets, at: place, isOpen: true), at: place, sessions: sessions)
      start = place.base + "/"
    }
    if case .policy(let policy) = access { self.policy = policy } else { policy = nil }
  }
}

extension FlagConsolePages {
  /// A header field of a request or response.
  public struct Field: Hashable, Sendable {
    /// The name, which is case-insensitive.
    public var name: String
    /// The value.
    public var value: String

    /// Creates a field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A request that a server received.
  public struct Request: Hashable, Sendable {
    /// The method: "GET".
    public var method: String
    /// The target as sent, with the full path and the query: "/admin/flags/?q=page".
    public var target: String
    /// The header fields; `Host`, `Origin` and `Cookie` are needed.
    public var fields: [Field]
    /// The body; the server must limit its size, to 4 MB for the largest import.
    public var body: [UInt8]

    /// Creates a request.
    public init(_ method: String, _ target: String, fields: [Field], body: [UInt8] = []) {
      self.method = method
      self.target = target
      self.fields = fields
      self.body = body
    }
  }

  /// A response for a server to send.
  public struct Response: Sendable {
    /// The body of a response.
    public enum Body: Sendable {
      /// A complete body; empty for a HEAD request.
      case bytes([UInt8])
      /// A stream of events, each to be sent at once, until the client disconnects or the stream ends.
      case events(AsyncStream<[UInt8]>)
    }

    /// The status code.
    public let status: Int
    /// The header fields, without those that frame the message.
    public let fields: [Field]
    /// The body.
    public let body: Body
  }

  /// Returns the response to a request: 404 for a path outside the base path, 401 without access.
  public func response(to request: Request) async -> Response {
    guard let method = HTTPMethod(request.method) else { return Response(HTTPResponse(plain: .badRequest)) }
    var message = HTTPRequest(method, request.target, body: request.body)
    for field in request.fields {
      if let name = HTTPFieldName(field.name) { message.fields.append(name, field.value) }
    }
    switch await service(for: request).reply(to: message) {
    case .response(var response):
      if method == .head { response.body = [] }
      return Response(response)
    case .events(let feed, var fields):
      fields[.contentType] = "text/event-stream; charset=utf-8"
      fields[.accelBuffering] = "no"
      if method == .head { return Response(.ok, fields, .bytes([])) }
      return Response(.ok, fields, .events(feed.events(after: message.fields[.lastEventID])))
    }
  }

  private func service(for request: Request) -> Service {
    guard let policy else { return service.service }
    return policy(request).map { service.service(for: $0) } ?? service.closed
  }
}

extension FlagConsolePages.Response {
  fileprivate init(_ response: HTTPResponse) { self.init(response.status, response.fields, .bytes(response.body)) }

  fileprivate init(_ status: HTTPStatus, _ fields: HTTPFields, _ body: Body) {
    self.init(
      status: status.code, fields: fields.all.map { FlagConsolePages.Field($0.name.text, $0.value) }, body: body)
  }
}

/// An error in serving the pages of a console, or in mounting them at a path and origin.
public struct FlagConsoleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The expected and the actual value, or the system's error message.
  public let description: String
  /// Whether it is for the port of a server.
  package var isOfPort = false
}
