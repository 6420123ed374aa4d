import FlagDomain
import FlagHTTP
import FlagServer
import Foundation
import TestSupport
import Testing

@Suite("News app that follows a service", .timeLimit(.minutes(15)))
struct NewsAppServiceTests {
  private let example = Example(name: "NewsApp")

  @Test("A session follows flagctl serve live, through an outage and back")
  func followsService() async throws {
    let printed = try await onThread { [example] in
      let folder = try TemporaryFolder()
      let file = folder.url.appending(path: "flags.json")
      func edit(size: Int) throws {
        try Data(FlagTestService.document(size: size).utf8).write(to: file, options: .atomic)
      }
      let port = try ReservedPort.forRestarts()
      func serve() throws -> (process: Conversation, url: URL) {
        let tool = Example(name: "flagctl")
        let server = try Conversation(with: tool, "serve", "--flags", file.path, "--port", "\(port)")
        return (server, try #require(server.nextLine().flatMap { URL(string: $0) }))
      }
      try edit(size: 1)
      var server = try serve()
      let app = try Conversation(with: example, "--service", "\(server.url)")
      var lines: [String] = []
      func read(to last: String) throws {
        lines += app.lines { $0 == last }
        try #require(lines.last == last, "\(lines.joined(separator: "\n"))")
      }
      try read(to: "~ the service is ready")
      try edit(size: 3)
      try read(to: "  | 2 more")
      server.process.kill()
      try read(to: "~ the service is stale")
      try app.say("in ana es")
      try read(to: "> in ana es")
      try read(to: "  | 2 more")
      try edit(size: 4)
      server = try serve()
      var expected: Set = ["~ the service is ready", "  | 1 more"]
      lines += app.lines {
        expected.remove($0)
        return expected.isEmpty
      }
      try #require(expected.isEmpty, "\(lines.joined(separator: "\n"))")
      try app.say("quit")
      #expect(try app.end() == 0)
      server.process.kill()
      return Self.account(of: lines)
    }
    #expect(try printed == Transcript(name: "NewsApp-service").text(recording: printed))
  }

  /// The messages from the first answer on, and then the last screens that differ from the previous one.
  ///
  /// A screen and a state of the service come in either order, and a screen may come twice: that the service is stale
  /// is a change, too. Reported errors, of which a cut has one or two, are listed by their codes.
  private static func account(of lines: [String]) -> String {
    let lines = Array(lines.drop { $0 != "~ the service is ready" })
    var screens: [[String]] = []
    for line in lines where line.hasPrefix("  |") {
      if line == "  | Settings" || screens.isEmpty { screens.append([]) }
      screens[screens.count - 1].append(line)
    }
    let changes = screens.indices.filter { $0 == 0 || screens[$0] != screens[$0 - 1] }.suffix(2)
    let said = lines.filter { !$0.hasPrefix("  |") && !$0.hasPrefix("!") }
    let codes = Set(lines.filter { $0.hasPrefix("!") }.map { $0.split(separator: " (")[0] }.map(String.init))
    return (said + codes.sorted() + changes.flatMap { screens[$0] }).joined(separator: "\n") + "\n"
  }

  @Test("Two apps that share a folder both follow the service, and leave one whole document there")
  func sharesCache() async throws {
    let lines = try await onThread { [example] in
      let service = FlagTestService()
      service.serve(size: 1)
      let server = try HTTPServer(service.routes)
      let folder = try TemporaryFolder()
      let cache = folder.url.appending(path: "cache")
      let address = "http://127.0.0.1:\(server.port)"
      let apps = [
        try Conversation(with: example, "--service", address, "--cache", cache.path),
        try Conversation(with: example, "--service", address, "--cache", cache.path),
      ]
      // No size is that of the one before last: an app that skips one still shows the next.
      for size in [1, 2, 3, 1, 2, 3] {
        service.serve(size: size)
        for app in apps { _ = app.lines { $0 == "  | \(5 - size) more" } }
      }
      for app in apps { app.kill() }
      let files = try FileManager.default.contentsOfDirectory(atPath: cache.path)
      #expect(files.filter { $0.hasSuffix(".cache") }.count == 1, "\(files)")
      stop(server)
      let app = try Conversation(with: example, "--service", address, "--cache", cache.path)
      defer { app.kill() }
      return app.lines { $0.hasPrefix("~") }
    }
    // One of those that were served: an app shows documents before it keeps them, and was killed between the two.
    #expect((1...3).contains { lines.contains("  | \(5 - $0) more") }, "\(lines)")
    #expect(!lines.contains { $0.hasPrefix("!") && !$0.hasPrefix("! UNREACHABLE") }, "\(lines)")
  }

  @Test("An app that is killed at any point leaves a kept document that is the old or the new one, always")
  func survivesKills() async throws {
    let service = FlagTestService()
    service.serve(size: 1)
    let server = try HTTPServer(service.routes)
    let folder = try TemporaryFolder()
    let (cache, port) = (folder.url.appending(path: "cache"), server.port)
    try await onThread { [example] in
      for round in 0..<Effort.rounds(25, long: 200) {
        let app = try Conversation(with: example, "--service", "http://127.0.0.1:\(port)", "--cache", cache.path)
        _ = app.nextLine()
        // The first screen; then documents of very different lengths come as fast as they are served, and are cached.
        for _ in 0..<(round % 6) { _ = app.nextLine() }
        for step in 0...(round * 7 % 25) { service.serve(size: 1 + step % 4, padding: step % 2 * 100_000) }
        app.kill()
        service.serve(size: 1)
      }
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: cache.path)
    #expect(files.filter { $0.hasSuffix(".cache") }.count == 1, "\(files)")
    await server.stop()
    // The cached document is complete: an app without a service starts with it, without an error.
    let lines = try await onThread { [example] in
      let app = try Conversation(with: example, "--service", "http://127.0.0.1:\(port)", "--cache", cache.path)
      defer { app.kill() }
      return app.lines { $0.hasPrefix("~") }
    }
    #expect(lines.last == "~ the service is stale")
    #expect(!lines.contains { $0.hasPrefix("!") && !$0.hasPrefix("! UNREACHABLE") }, "\(lines)")
  }
}

/// Stops a server, on a thread that may wait.
private func stop(_ server: HTTPServer) {
  let isOver = DispatchSemaphore(value: 0)
  Task {
    await server.stop()
    isOver.signal()
  }
  isOver.wait()
}

/// A service of definitions that change when a test says so.
final class FlagTestService: Sendable {
  private let state = Locked((tag: 0, body: [UInt8]()))
  private let feed = EventFeed()

  var routes: Service {
    Service([
      .init(
        .get, "/flags.json",
        .immediate { [self] request in
          let (number, body) = state.withLock { $0 }
          let tag = "\"\(number)\""
          if request.message.fields[.ifNoneMatch] == tag { return .response(HTTPResponse(.notModified)) }
          return .response(HTTPResponse(.ok, fields: [.eTag: tag], body: body))
        }),
      .init(.get, "/flags/events", .immediate { [feed] _ in .events(feed) }),
    ])
  }

  static func document(size: Int, padding: Int = 0) -> String {
    """
    {"flags": {"feed.page-size": {"state": "ENABLED", "variants": {"v": \(size)}, "defaultVariant": "v"}},
      "metadata": {"padding": "\(String(repeating: "x", count: padding))"}}
    """
  }

  func serve(size: Int, padding: Int = 0) {
    let document = Self.document(size: size, padding: padding)
    let tag = state.withLock { state in
      state = (state.tag + 1, Array(document.utf8))
      return state.tag
    }
    feed.send(ServerSentEvent(data: "changed", id: "\(tag)"))
  }
}
