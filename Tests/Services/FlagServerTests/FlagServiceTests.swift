import FlagDefinitions
import FlagDomain
import FlagHTTP
import Foundation
import Testing

@testable import FlagServer

@Suite("Serving definitions")
struct FlagServiceTests {
  @Test("The document is served as it is written, with a strong tag, until it changes")
  func servesDocument() throws {
    let fixture = try FlagServiceFixture(#"{"flags":  {}}"#)
    let first = try fixture.ask(.get, "/flags.json")
    #expect(first.text == #"{"flags":  {}}"#)
    #expect(first.fields[.contentType] == "application/json")
    #expect(first.fields[.cacheControl] == "no-cache")
    let tag = try #require(first.fields[.eTag])
    #expect(try fixture.ask(.get, "/flags.json", [.ifNoneMatch: "\"x\", \(tag)"]).status == .notModified)
    #expect(try fixture.ask(.get, "/flags.json", [.ifNoneMatch: "\"x\""]).status == .ok)
    #expect(try fixture.ask(.get, "/flags.json", [.ifNoneMatch: "nonsense"]).status == .ok)
    fixture.store.set(#"{"flags": {}}"#)
    #expect(try fixture.ask(.get, "/flags.json", [.ifNoneMatch: tag]).text == #"{"flags": {}}"#)
  }

  @Test("A broken edit is counted, and the last good document stays")
  func keepsLastGood() throws {
    let fixture = try FlagServiceFixture(#"{"flags": {}}"#)
    fixture.store.set("{")
    #expect(try fixture.ask(.get, "/flags.json").text == #"{"flags": {}}"#)
    #expect(try fixture.ask(.get, "/metrics").text.contains("flags_document_reload_failures_total 1\n"))
    #expect(try fixture.ask(.get, "/readyz").status == .ok)
  }

  @Test("A stream receives the version at once, and each later one, without repetitions")
  func tellsVersions() throws {
    let fixture = try FlagServiceFixture(#"{"flags": {}}"#)
    var position = fixture.flags.events.position(lastEventID: nil)
    func next() -> String? {
      guard case .event(let bytes, _) = fixture.flags.events.next(&position) else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }
    func event() throws -> String {
      let tag = try #require(fixture.flags.current?.tag.opaque)
      return "id: \(tag)\ndata: {\"etag\":\"\(tag)\",\"type\":\"refetchEvaluation\"}\n\n"
    }
    #expect(try next() == event())
    fixture.store.set("{")
    #expect(next() == nil)
    fixture.store.set(#"{"flags": {}}"#)
    #expect(next() == nil)
    fixture.store.set(#"{"flags": {"a": {"state": "ENABLED", "variants": {"on": 1}}}}"#)
    #expect(try next() == event())
  }

  @Test("Definitions that a store announces again, as after the failure of one of several, are not prepared again")
  func preparesOnce() throws {
    let parts = try (0..<2).map { _ in try InMemoryDefinitionStore(#"{"flags": {}}"#) }
    let store = MergedDefinitionStore(parts)
    let service = FlagService(store)
    let first = try #require(service.current)
    parts[0].set("{")
    parts[0].set(#"{"flags": {}}"#)
    #expect(service.current?.loaded == first.loaded)
    parts[0].set(#"{"flags": {"a": {"state": "ENABLED", "variants": {"on": 1}}}}"#)
    #expect(service.current?.loaded != first.loaded)
    withExtendedLifetime(store) {}
  }

  @Test("With a token, everything but the questions for health needs it")
  func needsToken() throws {
    let fixture = try FlagServiceFixture(tokens: ["secret"])
    let targets: [(HTTPMethod, String)] = [
      (.get, "/flags.json"), (.get, "/flags/events"), (.get, "/metrics"), (.post, "/ofrep/v1/evaluate/flags"),
      (.post, "/ofrep/v1/evaluate/flags/fixed"), (.get, "/nowhere"),
    ]
    for (method, target) in targets {
      #expect(try fixture.ask(method, target, [:], #"{"context": {}}"#).status == .unauthorized)
      #expect(try fixture.ask(method, target, [.authorization: "Bearer wrong"]).status == .unauthorized)
      #expect(try fixture.ask(method, target, [.apiKey: "wrong"]).status == .unauthorized)
      for fields: HTTPFields in [[.authorization: "Bearer secret"], [.apiKey: "secret"]] {
        #expect(try fixture.ask(method, target, fields, #"{"context": {}}"#).status != .unauthorized)
      }
    }
    #expect(try fixture.ask(.get, "/healthz").status == .ok)
    #expect(try fixture.ask(.get, "/readyz").status == .ok)
  }

  @Test("A ticket opens the stream of events alone, and for a time alone")
  func opensStreams() throws {
    let fixture = try FlagServiceFixture(tokens: ["secret"])
    let answer = try fixture.ask(
      .post, "/ofrep/v1/evaluate/flags", [.authorization: "Bearer secret"], #"{"context": {}}"#)
    let target = String(try #require(answer.text.firstMatch(of: #/"requestUri":"([^"]*)"/#)).1)
    #expect(target.hasPrefix("/ofrep/v1/flags/events?ticket="))
    #expect(try fixture.ask(.get, target.replacing("/ofrep/v1", with: "")).status == .ok)
    #expect(try fixture.ask(.get, target).status == .ok)
    #expect(try fixture.ask(.get, target + "0").status == .unauthorized)
    let definitions = target.replacing("/ofrep/v1/flags/events", with: "/flags.json")
    #expect(try fixture.ask(.get, definitions).status == .unauthorized)
    fixture.time.advance(by: .seconds(599))
    #expect(try fixture.ask(.get, target).status == .ok)
    fixture.time.advance(by: .seconds(1))
    #expect(try fixture.ask(.get, target).status == .unauthorized)
  }

  @Test("Tickets are shared for half of their lifetime, and few are remembered")
  func sharesTickets() {
    let time = TestTime()
    let tickets = Tickets(now: time.environment.now)
    let first = tickets.current()
    #expect(tickets.current() == first)
    time.advance(by: .seconds(300))
    let second = tickets.current()
    #expect(second != first)
    #expect(second.utf8.count == 32)
    #expect(tickets.accepts(first) && tickets.accepts(second))
    time.advance(by: .seconds(300))
    #expect(!tickets.accepts(first) && tickets.accepts(second))
    #expect(!tickets.accepts(""))
  }
}

@Suite("Metrics and the access log")
struct ServerMetricsTests {
  @Test("What was done is counted, and written for Prometheus")
  func counts() throws {
    let fixture = try FlagServiceFixture()
    _ = try fixture.evaluate("fixed")
    _ = try fixture.evaluate("fixed")
    _ = try fixture.evaluate("gone")
    _ = try fixture.evaluateAll()
    fixture.flags.metrics.record(refusal: HTTPRequestError(.requestTimeout, ""))
    fixture.flags.metrics.countConnections { 7 }
    fixture.time.advance(by: .seconds(90))
    let response = try fixture.ask(.get, "/metrics")
    #expect(response.fields[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
    let lines = Set(response.text.split(separator: "\n").map(String.init))
    let one = "/ofrep/v1/evaluate/flags/{key}"
    for line in [
      "# TYPE flags_http_requests_total counter", #"flags_http_requests_total{route="\#(one)",status="200"} 2"#,
      #"flags_http_requests_total{route="\#(one)",status="404"} 1"#,
      #"flags_http_request_duration_seconds_bucket{le="0.0025",route="\#(one)"} 0"#,
      #"flags_http_request_duration_seconds_bucket{le="0.005",route="\#(one)"} 3"#,
      #"flags_http_request_duration_seconds_bucket{le="+Inf",route="\#(one)"} 3"#,
      #"flags_http_request_duration_seconds_sum{route="\#(one)"} 0.009"#,
      #"flags_http_request_duration_seconds_count{route="\#(one)"} 3"#, #"flags_http_refused_total{status="408"} 1"#,
      #"flags_evaluations_total{flag="fixed",reason="STATIC",variant="on"} 3"#,
      #"flags_evaluations_total{flag="country",reason="DEFAULT",variant="en"} 1"#,
      #"flags_evaluations_total{flag="wrong",reason="ERROR",variant=""} 1"#,
      #"flags_evaluations_total{flag="",reason="ERROR",variant=""} 1"#, "flags_document_reload_failures_total 0",
      "flags_document_flags 12", "flags_document_age_seconds 90.0", "flags_connections 7", "flags_event_streams 0",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
  }

  @Test("However many flags there are, there are so many series and no more")
  func boundsSeries() {
    let metrics = ServerMetrics()
    for number in 0..<ServerMetrics.evaluationSeries + 500 { metrics.record(EvaluationSeries(flag: "f\(number)")) }
    metrics.record(EvaluationSeries(flag: "f0"))
    let text = metrics.text(of: nil, stores: [], at: 0, streams: 0, process: .current(startedAt: 0))
    #expect(text.components(separatedBy: "\nflags_evaluations_total{").count - 1 == ServerMetrics.evaluationSeries + 1)
    #expect(text.contains(#"flags_evaluations_total{flag="(other)",reason="",variant=""} 500"#))
    #expect(text.contains(#"flags_evaluations_total{flag="f0",reason="ERROR",variant=""} 2"#))
  }

  @Test("Made-up keys and bad bodies make no series")
  func countsNoStrangers() throws {
    let fixture = try FlagServiceFixture()
    for number in 0..<50 {
      _ = try fixture.evaluate("made-up-\(number)")
      _ = try fixture.evaluate("made-up-\(number)", context: "[]")
    }
    #expect(try !fixture.ask(.get, "/metrics").text.contains("made-up"))
  }

  @Test("A label's value is escaped")
  func escapes() {
    var text = PrometheusText()
    text.add("a", .gauge, "b", by: [(["l": "a\"b\\c\nd"], 1)])
    #expect(text.text == "# HELP a b\n# TYPE a gauge\na{l=\"a\\\"b\\\\c\\nd\"} 1\n")
  }

  @Test("A line of the log is an object, and has neither query nor token")
  func logs() throws {
    let peer = Peer(address: "127.0.0.1", port: 1)
    let request = ServedRequest(
      method: .get, target: "/flags/events?ticket=secret", peer: peer, route: "/flags/events", status: .ok, bytes: 0,
      time: .microseconds(85))
    #expect(
      AccessLog.line(request, time: "T") == """
        {"bytes":0,"method":"GET","microseconds":85,"path":"/flags/events","peer":"127.0.0.1",\
        "route":"/flags/events","status":200,"time":"T"}

        """)
    #expect(
      AccessLog.line(HTTPRequestError(.badRequest, "expected \"a\""), from: peer, time: "T")
        == #"{"peer":"127.0.0.1","refused":"expected \"a\"","status":400,"time":"T"}"# + "\n")
  }
}
