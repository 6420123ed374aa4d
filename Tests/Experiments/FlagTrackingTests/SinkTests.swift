import FlagDomain
import FlagEvents
import FlagHTTP
import FlagTransport
import Foundation
import TestSupport
import Testing

@testable import FlagTracking

@Suite("Sinks", .timeLimit(.minutes(15)))
struct SinkTests {
  /// What becomes of a batch.
  enum Fate: Sendable { case delivered, rejected(Int), retry(Duration?), held, tooLarge, refused }

  /// What a service does.
  struct Fault: Sendable, CustomTestStringConvertible {
    var name: String
    var steps: [ScriptedServer.Step]
    var fate: Fate
    /// What becomes of it in OTLP, where that is another thing.
    var otlp: Fate?
    /// Whether the sink gives up by its own limit of time.
    var takesTimeout = false

    var testDescription: String { name }
  }

  private static let faults = [
    Fault(name: "200", steps: [.response()], fate: .delivered),
    Fault(name: "204", steps: [.text("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")], fate: .delivered),
    Fault(
      name: "a partial success", steps: [.response(body: #"{"partialSuccess":{"rejectedLogRecords":"2"}}"#)],
      fate: .delivered, otlp: .rejected(2)),
    Fault(name: "reset", steps: [.reset], fate: .retry(nil)),
    Fault(name: "an end at once", steps: [], fate: .retry(nil)),
    Fault(
      name: "reset in the middle", steps: [.text("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"), .reset],
      fate: .retry(nil)),
    Fault(
      name: "no answer", steps: [.waitForClient], fate: .retry(nil), takesTimeout: true),
    Fault(
      name: "100 MiB",
      steps: [.text("HTTP/1.1 200 OK\r\n\r\n"), .sendRepeatedly([UInt8](repeating: 0x20, count: 1 << 20), times: 100)],
      fate: .retry(nil)),
    Fault(name: "413", steps: [.response("413 X")], fate: .tooLarge),
    Fault(name: "429 in seconds", steps: [.response("429 X", ["Retry-After: 7"])], fate: .retry(.seconds(7))),
    Fault(
      name: "503 by a date", steps: [.response("503 X", ["Retry-After: Tue, 14 Nov 2023 22:13:40 GMT"])],
      fate: .retry(.seconds(20))),
    Fault(name: "429 in no form", steps: [.response("429 X", ["Retry-After: soon"])], fate: .retry(nil)),
    Fault(name: "502", steps: [.response("502 X")], fate: .retry(nil)),
    Fault(name: "504", steps: [.response("504 X")], fate: .retry(nil)),
    Fault(name: "500", steps: [.response("500 X", body: "ann")], fate: .retry(nil), otlp: .refused),
    Fault(name: "400", steps: [.response("400 X", body: "ann")], fate: .refused),
    Fault(name: "401", steps: [.response("401 X")], fate: .held),
    Fault(name: "403", steps: [.response("403 X")], fate: .held),
    Fault(name: "404", steps: [.response("404 X")], fate: .held),
    Fault(
      name: "403 of a proxy", steps: [.response("403 X", ["X-Squid-Error: ERR_ACCESS_DENIED 0"], body: "ann")],
      fate: .retry(nil)),
    Fault(name: "408", steps: [.response("408 X")], fate: .retry(nil)),
    Fault(name: "421", steps: [.response("421 X")], fate: .retry(nil)),
    Fault(name: "425", steps: [.response("425 X")], fate: .retry(nil)),
    Fault(
      name: "a page for signing in",
      steps: [.response("200 OK", ["Content-Type: text/html; charset=utf-8"], body: "<p>ann")], fate: .retry(nil)),
    Fault(
      name: "503 by a date, of a service with another clock",
      steps: [
        .response(
          "503 X", ["Date: Fri, 14 Nov 2025 22:13:20 GMT", "Retry-After: Fri, 14 Nov 2025 22:13:40 GMT"])
      ], fate: .retry(.seconds(20))),
    Fault(
      name: "a redirect", steps: [.response("302 X", ["Location: https://elsewhere.example/?ann"])], fate: .retry(nil)),
    Fault(
      name: "a redirect that keeps the method",
      steps: [.response("307 X", ["Location: https://elsewhere.example/?ann"])], fate: .retry(nil)),
  ]

  @Test("Whatever a service does, a batch has the right fate, and no error repeats its words", arguments: faults)
  func survives(fault: Fault) async throws {
    let server = try ScriptedServer { _, _ in fault.steps }
    for (format, fate) in [
      (HTTPEventFormat.jsonLines, fault.fate), (.otlp(service: "shop"), fault.otlp ?? fault.fate),
    ] {
      let sink = try HTTPSink(
        Self.url(server), format: format,
        client: HTTPClient(SystemTransport(), limit: 1 << 20),
        timeout: fault.takesTimeout ? .milliseconds(50) : .seconds(600),
        date: { HTTPDate(secondsSince1970: 1_700_000_000) })
      let outcome = await sink.send(Self.batch)
      switch (outcome, fate) {
      case (.delivered(0, nil), .delivered), (.held, .held), (.tooLarge, .tooLarge), (.refused, .refused):
        break
      case (.delivered(let count, _?), .rejected(let expected)): #expect(count == expected)
      case (.retry(let delay, let error), .retry(let expected)):
        #expect(delay == expected)
        #expect((error.code == .timeout) == (fault.takesTimeout || ["408", "504"].contains(fault.name)))
      default: Issue.record("\(outcome) instead of \(fate)")
      }
      #expect(!"\(outcome)".contains("ann") && !"\(outcome)".contains("secret"))
    }
    server.stop()
  }

  @Test("A request says its type, its batch and what the app adds, and has the events")
  func posts() async throws {
    let server = try ScriptedServer { _, _ in [.response()] }
    for format in [HTTPEventFormat.jsonLines, .otlp(service: "shop")] {
      let sink = try HTTPSink(Self.url(server), format: format, headers: ["Authorization": "Bearer secret"])
      let outcome = await sink.send(Self.batch)
      #expect(outcome == .delivered, "\(outcome)")
    }
    server.stop()
    let types = ["application/x-ndjson", "application/json"]
    try #require(server.requests.count == 2)
    for (request, type) in zip(server.requests, types) {
      #expect(request.hasPrefix("POST /logs?secret HTTP/1.1\r\n"))
      for field in ["Content-Type: \(type)", "Idempotency-Key: batch", "Authorization: Bearer secret"] {
        #expect(request.contains("\(field)\r\n"), "\(request)")
      }
    }
    let bodies = server.requests.compactMap { $0.split(separator: "\r\n\r\n").last.map(String.init) }
    let line = #"{"id":"e1","kind":"conversion","name":"x","schema":1,"time":"1970-01-01T00:00:00.000Z","unit":"ann"}"#
    #expect(bodies[0] == line + "\n")
  }

  @Test(
    "Nothing is sent without encryption to a host that was not named, or with a header that is none",
    arguments: [
      ("http://collector.example", [:]), ("ftp://x", [:]), ("https://x", ["a b": "c"]), ("https://x", ["a": "\n"]),
    ]
      as [(String, [String: String])])
  func refuses(url: String, headers: [String: String]) throws {
    let url = try #require(URL(string: url))
    #expect(throws: FlagError.self) { try HTTPSink(url, format: .jsonLines, headers: headers) }
  }

  private static func url(_ server: ScriptedServer) throws -> URL {
    try #require(URL(string: "http://127.0.0.1:\(server.port)/logs?secret"))
  }

  fileprivate static let batch = EventBatch(
    id: "batch",
    events: [
      TrackedEvent(id: "e1", time: EventTime(milliseconds: 0), content: .conversion(Conversion(name: "x", unit: "ann")))
    ])
}

@Suite("A file as a sink", .timeLimit(.minutes(15)))
struct FileSinkTests {
  private let folder: TemporaryFolder
  private var file: URL { folder.url.appending(path: "events.jsonl") }

  init() throws { folder = try TemporaryFolder() }

  @Test("Events are added to the file, a line each; those that are there already are not added again")
  func adds() async throws {
    let sink = FileSink(file)
    #expect(await sink.send(batch(1...3)) == .delivered)
    #expect(await sink.send(batch(2...4)) == .delivered)
    #expect(try units == ["1", "2", "3", "4"])
  }

  @Test("What a kill has cut off is replaced by the whole")
  func repairs() async throws {
    let whole = try batch(1...2).events.map { try String(decoding: $0.line(), as: UTF8.self) }
    try Data((whole[0] + "\n" + whole[1].prefix(20)).utf8).write(to: file)
    #expect(await FileSink(file).send(batch(1...3)) == .delivered)
    #expect(try units == ["1", "2", "3"])
  }

  @Test("A file that cannot be written is tried again")
  func retries() async throws {
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    guard case .retry(nil, let error) = await FileSink(file).send(batch(1...1)) else {
      throw FlagError(.general, "expected another try")
    }
    #expect(error.message.contains("events.jsonl"))
  }

  private func batch(_ numbers: ClosedRange<Int>) -> EventBatch {
    EventBatch(
      id: "batch",
      events: numbers.map { number in
        TrackedEvent(
          id: "e\(number)", time: EventTime(milliseconds: 0),
          content: .conversion(Conversion(name: "x", unit: "\(number)")))
      })
  }

  private var units: [String] {
    get throws {
      try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
        try TrackedEvent.reading(String(line)).unit
      }
    }
  }
}
