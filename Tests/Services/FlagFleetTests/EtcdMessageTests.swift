import FlagDomain
import FlagHTTP
import FlagJSON
import FlagTransport
import Foundation
import TestSupport
import Testing

@testable import FlagFleet
@testable import FlagRemote

@Suite("What members of etcd say")
struct EtcdMessageTests {
  private func value(_ text: String) throws -> FlagValue { try FlagValue(json: Array(text.utf8)) }

  @Test("Integers of 64 bits are strings, and what is zero, false or empty is left out")
  func readsRanges() throws {
    let full = try EtcdRange(
      value(
        """
        {"header": {"cluster_id": "15875391935852295136", "revision": "9007199254740993"},
         "kvs": [{"key": "aGVhZA==", "mod_revision": "9007199254740992", "version": "1", "value": "YQ=="},
                 {"key": "aGVhZA==", "mod_revision": "3"}], "more": true, "count": "7"}
        """))
    #expect(full.revision == 9_007_199_254_740_993)
    #expect(full.hasMore)
    #expect(
      full.entries == [
        EtcdEntry(key: "head", value: Array("a".utf8), modRevision: 9_007_199_254_740_992),
        EtcdEntry(key: "head", value: [], modRevision: 3),
      ])
    let empty = try EtcdRange(value(#"{"header": {"revision": 5}}"#))
    #expect(empty == EtcdRange(entries: [], hasMore: false, revision: 5))
  }

  @Test("A transaction that did not hold says nothing of it, and what it read instead")
  func readsOutcomes() throws {
    let outcome = try EtcdOutcome(
      value(
        """
        {"header": {"revision": "2"}, "responses": [{"response_range": {"header": {"revision": "2"},
          "kvs": [{"key": "aGVhZA==", "mod_revision": "2", "value": "YQ=="}], "count": "1"}}]}
        """))
    #expect(!outcome.isWritten)
    #expect(outcome.ranges.map(\.entries.count) == [1])
    let written = try EtcdOutcome(
      value(#"{"header": {"revision": "3"}, "succeeded": true, "responses": [{"response_put": {"header": {}}}]}"#))
    #expect(written == EtcdOutcome(isWritten: true, ranges: [], revision: 3))
  }

  @Test(
    "A response that is not etcd's is an error",
    arguments: [
      "{}", "[]", "null", #"{"header": {}}"#, #"{"header": {"revision": "x"}}"#,
      #"{"header": {"revision": "1"}, "kvs": [{"value": "YQ=="}]}"#,
      #"{"header": {"revision": "1"}, "kvs": [{"key": "!", "value": "YQ=="}]}"#,
      #"{"header": {"revision": "1"}, "kvs": [7]}"#,
    ])
  func refusesRanges(text: String) throws {
    let body = try value(text)
    let error = #expect(throws: EtcdError.self) { try EtcdRange(body) }
    guard case .unreadable? = error else { return #expect(Bool(false), "\(String(describing: error))") }
  }

  /// Of etcd 3.4 and 3.5, whose gateway is the first; of 3.6, whose gateway is the second; and of proxies.
  ///
  /// Those of 3.6 are as its users quote them: `etcd-io/etcd` issue 21100 has one of 3.6.7, `code` and `message` alone,
  /// and its documentation (`etcd-io/website` pull request 1110) asks clients to do without what is missing. In a
  /// stream they are within `error`, as `runtime/handler.go` of `grpc-ecosystem/grpc-gateway` 2 writes them; that one
  /// has empty `details` unless it is configured to omit them.
  static let refusals: [(status: HTTPStatus, body: String, error: EtcdError)] = [
    (
      .badRequest,
      #"{"error":"etcdserver: request is too large","message":"etcdserver: request is too large","code":3}"#,
      .refused(.invalid, "etcdserver: request is too large")
    ),
    (
      .badRequest, #"{"code":3, "message":"etcdserver: request is too large", "details":[]}"#,
      .refused(.invalid, "etcdserver: request is too large")
    ),
    (
      .badRequest, #"{"code":9,"message":"etcdserver: authentication is not enabled"}"#,
      .refused(.failedPrecondition, "etcdserver: authentication is not enabled")
    ),
    (
      .serviceUnavailable, #"{"error":{"code":14,"message":"etcdserver: no leader"}}"#,
      .refused(.unavailable, "etcdserver: no leader")
    ),
    (
      .internalServerError,
      #"{"error":{"grpc_code":14,"http_code":503,"message":"etcdserver: no leader","http_status":"Unavailable"}}"#,
      .refused(.unavailable, "etcdserver: no leader")
    ),
    (
      .serviceUnavailable, #"{"error":{"code":14, "message":"etcdserver: no leader", "details":[]}}"#,
      .refused(.unavailable, "etcdserver: no leader")
    ),
    (
      .unauthorized, #"{"error":"etcdserver: invalid auth token","code":16}"#,
      .refused(.unauthenticated, "etcdserver: invalid auth token")
    ),
    (.badRequest, #"{"error":"something"}"#, .refused(.unknown, "something")),
    (.serviceUnavailable, "<html>Busy</html>", .unreadable("status 503 Service Unavailable")),
    (.notFound, "Not Found\n", .unreadable("status 404 Not Found")),
    (.internalServerError, "", .unreadable("status 500 Internal Server Error")),
    (.internalServerError, #"{"error": 7}"#, .unreadable("status 500 Internal Server Error")),
    (.internalServerError, #"{"error": {"error": {"error": {}}}}"#, .unreadable("status 500 Internal Server Error")),
  ]

  @Test("Refusals are read in the form of every version", arguments: refusals)
  func readsRefusals(status: HTTPStatus, body: String, error: EtcdError) {
    #expect(EtcdError(HTTPResponse(status, body: Array(body.utf8))) == error)
  }

  @Test(
    "Errors that another member may not have are told apart from those of all members",
    arguments: [
      (.refused(.unavailable, "etcdserver: no leader"), true, true),
      (.refused(.unavailable, "etcdserver: request timed out"), true, false),
      (.refused(.exhausted, "etcdserver: too many requests"), true, false),
      (.refused(.exhausted, "etcdserver: mvcc: database space exceeded"), false, false),
      (.refused(.invalid, "etcdserver: request is too large"), false, true),
      (.refused(.permissionDenied, "etcdserver: permission denied"), false, true),
      (.unreachable(.timedOut(.seconds(1))), true, false),
      (.unreachable(.notConnected("connection refused")), true, true),
      (.unreachable(.failed("connection lost")), true, false),
      (.unreachable(.certificate("TLS: the host's certificate is not trusted")), true, true),
      (.unreachable(.cancelled), false, false), (.unreadable("status 502"), true, false),
    ] as [(EtcdError, Bool, Bool)])
  func sortsErrors(error: EtcdError, isTransient: Bool, isCertain: Bool) {
    #expect(error.isTransient == isTransient)
    #expect(error.isCertain == isCertain)
  }

  // MARK: Watches

  private static let stream = """
    {"result":{"header":{"revision":"2"},"created":true}}
    {"result":{"header":{"revision":"3"},"events":[{"kv":{"key":"aGVhZA==","mod_revision":"3","value":"YQ=="}}]}}\r

    {"result":{"header":{"revision":"5"},"events":[{"kv":{"key":"aGVhZA==","mod_revision":"4","value":"Yg=="}},\
    {"type":"DELETE","kv":{"key":"aGVhZA==","mod_revision":"5"}}]}}
    {"result":{"header":{"revision":"9"}}}

    """

  private static let changes = [
    EtcdEntry(key: "head", value: Array("a".utf8), modRevision: 3),
    EtcdEntry(key: "head", value: Array("b".utf8), modRevision: 4),
    EtcdEntry(key: "head", value: [], modRevision: 5, isRemoved: true),
  ]

  @Test("A watch says the same however it is cut into pieces")
  func readsWatches() throws {
    let bytes = Array(Self.stream.utf8)
    for cut in 0...bytes.count {
      var parser = EtcdWatchParser()
      let changes = try parser.append(Array(bytes[..<cut])) + parser.append(Array(bytes[cut...]))
      #expect(changes == Self.changes, "cut at \(cut)")
    }
    var parser = EtcdWatchParser()
    #expect(try bytes.flatMap { try parser.append([$0]) } == Self.changes)
  }

  @Test(
    "A watch that was refused, was compacted or fails is over, though it is open still",
    arguments: [
      (
        #"{"result":{"header":{"revision":"9"},"canceled":true,"compact_revision":"7"}}"#,
        .refused(.outOfRange, "the watch begins before revision 7, up to which there is no more")
      ),
      (
        """
        {"result":{"header":{},"watch_id":"-1","created":true,"canceled":true,\
        "cancel_reason":"rpc error: code = PermissionDenied desc = etcdserver: permission denied"}}
        """,
        .refused(.permissionDenied, "rpc error: code = PermissionDenied desc = etcdserver: permission denied")
      ),
      (
        #"{"result":{"canceled":true,"cancel_reason":"rpc error: code = Unauthenticated desc = x"}}"#,
        .refused(.unauthenticated, "rpc error: code = Unauthenticated desc = x")
      ),
      (
        #"{"result":{"canceled":true,"cancel_reason":"etcdserver: no leader"}}"#,
        .refused(.unavailable, "etcdserver: no leader")
      ),
      (#"{"result":{"canceled":true}}"#, .refused(.unavailable, "the watch was cancelled")),
      (
        #"{"error":{"grpc_code":14,"http_code":503,"message":"etcdserver: no leader","http_status":"X"}}"#,
        .refused(.unavailable, "etcdserver: no leader")
      ),
      (#"{"error":{"code":14,"message":"etcdserver: no leader"}}"#, .refused(.unavailable, "etcdserver: no leader")),
      (#"{"result":{"header":{"revision":"9"}"#, .unreadable("a line of invalid JSON")),
      ("{}", .unreadable("a line without a result")),
      (#"{"result":{}}"#, .unreadable("an answer without a header")),
      (#"{"result":{"header":{"revision":"9"},"events":[{}]}}"#, .unreadable("an event without a key")),
    ] as [(String, EtcdError)])
  func endsWatches(line: String, error: EtcdError) {
    var parser = EtcdWatchParser()
    #expect(throws: error) { try parser.append(Array(line.utf8) + [0x0A]) }
  }

  @Test("A line without an end is over at its limit")
  func limitsLines() throws {
    var parser = EtcdWatchParser(limit: 100)
    #expect(try parser.append([UInt8](repeating: 0x20, count: 100)) == [])
    #expect(throws: EtcdError.unreadable("a line of more than 100 bytes")) { try parser.append([0x20]) }
  }

  @Test("Whatever a watch says, the parser gives changes or an error")
  func survivesGarbage() {
    var random = SeededGenerator(seed: 15)
    let bytes = Array(Self.stream.utf8)
    for _ in 0..<Effort.rounds(500, long: 50_000) {
      var garbage = bytes
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        garbage[Int.random(in: garbage.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      var parser = EtcdWatchParser(limit: 1000)
      do throws(EtcdError) {
        #expect(try parser.append(garbage).count <= 16)
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }

  // MARK: Requests and settings

  @Test("The end of a prefix is the first key after all of it")
  func endsPrefixes() {
    #expect(EtcdText.end(of: "/flags/a/head/") == "/flags/a/head0")
    #expect(EtcdQuery.prefix("a/").body == .object(["key": .string("YS8="), "range_end": .string("YTA=")]))
  }

  @Test(
    "Endpoints that cannot be asked are refused, and say which",
    arguments: [
      ([], "found none"), (["etcd:2379"], "etcd:2379"), (["ftp://127.0.0.1"], "ftp://127.0.0.1"),
      (["http://etcd-0:2379"], "expected https, found http for etcd-0"), (["https://"], "https://"),
      (["https://host/v3"], "https://host/v3"), (["https://ann:word@host"], "one with a user"),
      (["https://a:2379", "nonsense"], "nonsense"),
    ] as [([String], String)])
  func refusesEndpoints(endpoints: [String], problem: String) {
    let error = #expect(throws: FlagError.self) { try EtcdSettings(endpoints: endpoints) }
    #expect(error?.message.contains(problem) == true, "\(String(describing: error))")
    #expect(error?.message.contains("word") == false)
  }

  @Test("A user has a password, and neither is shown")
  func hidesPassword() throws {
    #expect(throws: FlagError.self) { try EtcdSettings(endpoints: ["https://a"], user: "ann") }
    #expect(throws: FlagError.self) { try EtcdSettings(endpoints: ["https://a"], password: "word") }
    #expect(throws: FlagError.self) { try EtcdSettings(endpoints: ["https://a"], user: "", password: "word") }
    let settings = try EtcdSettings(
      endpoints: ["http://etcd:2379", "https://a:1"], user: "ann", password: "word", plaintextHosts: ["etcd"])
    var dump = ""
    Swift.dump(settings, to: &dump)
    for text in ["\(settings)", String(reflecting: settings), dump] {
      #expect(!text.contains("word") && !text.contains("ann"))
    }
    #expect("\(settings)" == "etcd at http://etcd:2379, https://a:1 under /flags")
  }

  @Test("Names of sets and servers find a place in keys, and come back from there")
  func makesKeys() {
    let keys = EtcdKeys(prefix: "/flags", set: "shop/eu é")
    #expect(keys.head == "/flags/shop%2Feu%20%C3%A9/head")
    #expect(keys.revision(12) == "/flags/shop%2Feu%20%C3%A9/revisions/00000000000000000012")
    #expect(keys.server(of: keys.server("web/1 %")) == "web/1 %")
  }
}
