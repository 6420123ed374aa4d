import FlagDomain
import FlagHTTP
import FlagJSON
import FlagProviders
import FlagTransport
import Foundation

import TestSupport
@testable import FlagFleet
@testable import FlagRemote

/// A cluster of etcd in memory: as much of one as the client asks for, with the faults that a test says.
final class FakeEtcd: HTTPTransport {
  /// The handling of a request in place of etcd's.
  enum Fault: Sendable {
    /// It is never answered.
    case silence
    /// It is done, and never answered.
    case lostAnswer
    case answer(HTTPResponse)
    /// It is done, and answered so.
    case answerWhenDone(HTTPResponse)
    case failure(TransportError)
  }

  struct Entry: Sendable {
    var value: [UInt8]
    var modRevision: Int64
    var version: Int64 = 1
    var lease: Int64?
  }

  struct State: Sendable {
    var revision: Int64 = 1
    var entries: [String: Entry] = [:]
    /// All requests: the member, the path, the body, and the fields.
    var requests: [Request] = []
    var watches: [Watch] = []
    var leases: Set<Int64> = []
    var lastLease: Int64 = 7000
    /// The older revision that a member is still at, by its host.
    var lag: [String: [String: Entry]] = [:]
  }

  struct Request: Sendable {
    var host: String
    var path: String
    var body: FlagValue
    var fields: HTTPFields
    /// Whether it was decided how it is answered: what a test changes from then on is for later requests.
    var isDecided = false

    var key: String { FakeEtcd.text(body[etcd: "key"]) }
  }

  struct Watch: Sendable {
    var host: String
    var key: String
    /// The end of the keys; nil for one key.
    var end: String?
    var start: Int64
    var exchange: WeakExchange

    func covers(_ other: String) -> Bool { end.map { other >= key && other < $0 } ?? (other == key) }
  }

  /// Retained only by the task that waits for it, as by a session.
  struct WeakExchange: Sendable { weak var exchange: Exchange? }

  let state = Watched(State())
  private let fault: @Sendable (Int, Request) -> Fault?

  /// Creates a cluster; the closure is asked for each request, by its number from 0.
  init(_ fault: @escaping @Sendable (Int, Request) -> Fault? = { _, _ in nil }) { self.fault = fault }

  static func text(_ value: FlagValue?) -> String {
    String(decoding: Data(base64Encoded: value?.text ?? "") ?? Data(), as: UTF8.self)
  }
}

// MARK: What tests do

extension FakeEtcd {
  var requests: [Request] { state.value.requests }

  /// Waits until so many watches have been made.
  func watch(_ number: Int) async -> Watch {
    await state.wait { $0.watches.count > number }
    return state.value.watches[number]
  }

  func waitForRequests(_ count: Int, _ isCounted: @escaping @Sendable (Request) -> Bool) async {
    await state.wait { $0.requests.count { $0.isDecided && isCounted($0) } >= count }
  }

  /// Says something on all watches of a host, as it stands.
  func say(_ text: String, to host: String? = nil) {
    for watch in state.value.watches where host == nil || watch.host == host {
      watch.exchange.exchange?.deliver(Array(text.utf8))
    }
  }

  /// Writes a key as someone else does, and says so on the watches.
  func put(_ key: String, _ value: String, notifies: Bool = true) {
    state.change { $0.put(key, Array(value.utf8)) }
    if notifies { notify([key]) }
  }

  func remove(_ key: String) { state.change { $0.remove(key) } }

  /// Says on each watch what was written of what it watches, in one message, as etcd does of one transaction.
  private func notify(_ keys: [String]) {
    let state = state.value
    for watch in state.watches { state.notify(keys, to: watch) }
  }
}

// MARK: What etcd does

extension FakeEtcd {
  func send(_ request: TransportRequest, limit: Int) -> Exchange {
    let exchange = Exchange(limit: limit)
    let body: FlagValue
    do {
      body = try FlagValue(json: request.body)
    } catch {
      exchange.finish(.failed("expected JSON, found: \(error)"))
      return exchange
    }
    let asked = Request(
      host: request.url.authority, path: String(request.url.path().dropFirst(4)), body: body, fields: request.fields)
    let number = Locked(0)
    state.change { state in
      number.withLock { $0 = state.requests.count }
      state.requests.append(asked)
    }
    let fault = fault(number.withLock { $0 }, asked)
    state.change { state in state.requests[number.withLock { $0 }].isDecided = true }
    switch fault {
    case .silence: break
    case .lostAnswer: _ = answer(asked)
    case .answer(let response): exchange.answer(response)
    case .answerWhenDone(let response):
      _ = answer(asked)
      exchange.answer(response)
    case .failure(let error): exchange.finish(error)
    case nil:
      if asked.path == "watch" { begin(asked, exchange) } else { exchange.answer(answer(asked)) }
    }
    return exchange
  }

  private func begin(_ request: Request, _ exchange: Exchange) {
    exchange.deliver(HTTPResponse(.ok))
    let create = request.body[etcd: "create_request"]
    let key = Self.text(create?[etcd: "key"])
    let start = create?[etcd: "start_revision"]?.etcdNumber ?? 0
    let end = create?[etcd: "range_end"].map { Self.text($0) }
    let watch = Watch(
      host: request.host, key: key, end: end, start: start, exchange: WeakExchange(exchange: exchange))
    exchange.deliver(Self.line(["created": .bool(true)], state.value.revision))
    state.change { $0.watches.append(watch) }
    state.value.notify(state.value.entries.keys.sorted(), to: watch)
  }

  private func answer(_ request: Request) -> HTTPResponse {
    let outcome = Locked(FlagValue.null)
    let written = Locked<[String]>([])
    state.change { state in
      let answer: FlagValue
      switch request.path {
      case "kv/range":
        var seen = state
        if let lag = state.lag[request.host], request.body[etcd: "serializable"] == .bool(true) { seen.entries = lag }
        answer = seen.range(request.body)
      case "kv/txn":
        let (body, keys) = state.transact(request.body)
        written.withLock { $0 = keys }
        answer = body
      case "lease/grant":
        state.lastLease += 1
        state.leases.insert(state.lastLease)
        answer = state.body(["ID": EtcdText.number(state.lastLease), "TTL": .string("60")])
      case "lease/keepalive":
        let id = request.body[etcd: "ID"]?.etcdNumber ?? 0
        var result: [String: FlagValue] = ["ID": EtcdText.number(id)]
        if state.leases.contains(id) { result["TTL"] = .string("60") }
        answer = .object(["result": state.body(result)])
      case "lease/revoke":
        let id = request.body[etcd: "ID"]?.etcdNumber ?? 0
        state.leases.remove(id)
        for (key, entry) in state.entries where entry.lease == id { state.remove(key) }
        answer = state.body([:])
      case "auth/authenticate": answer = state.body(["token": .string("token-\(state.requests.count)")])
      default: answer = .null
      }
      outcome.withLock { $0 = answer }
    }
    notify(written.withLock { $0 })
    return HTTPResponse(.ok, body: outcome.withLock { $0.json })
  }

  static func bytes(_ value: FlagValue?) -> [UInt8] { Array(Data(base64Encoded: value?.text ?? "") ?? Data()) }

  fileprivate static func line(_ members: [String: FlagValue], _ revision: Int64) -> [UInt8] {
    let header = FlagValue.object(["revision": EtcdText.number(revision)])
    return FlagValue.object(["result": .object(members.merging(["header": header]) { $1 })]).json + [0x0A]
  }

  fileprivate static func kv(_ key: String, _ entry: Entry) -> FlagValue {
    .object(
      [
        "key": EtcdText.encoded(key), "value": EtcdText.encoded(entry.value),
        "mod_revision": EtcdText.number(entry.modRevision), "version": EtcdText.number(entry.version),
        "lease": entry.lease.map { EtcdText.number($0) },
      ].compactMapValues { $0 })
  }
}

extension FakeEtcd.State {
  /// Says on a watch what keys hold that it watches.
  fileprivate func notify(_ keys: [String], to watch: FakeEtcd.Watch) {
    let received = keys.compactMap { key in entries[key].map { (key, $0) } }.filter { key, entry in
      watch.covers(key) && entry.modRevision >= watch.start
    }
    let events = received.map { key, entry in FlagValue.object(["kv": FakeEtcd.kv(key, entry)]) }
    guard !events.isEmpty else { return }
    watch.exchange.exchange?.deliver(FakeEtcd.line(["events": .array(events)], revision))
  }

  mutating func put(_ key: String, _ value: [UInt8], isNew: Bool = true) {
    if isNew { revision += 1 }
    entries[key] = FakeEtcd.Entry(
      value: value, modRevision: revision, version: (entries[key]?.version ?? 0) + 1)
  }

  mutating func remove(_ key: String) {
    revision += 1
    entries[key] = nil
  }

  func body(_ members: [String: FlagValue]) -> FlagValue {
    .object(members.merging(["header": .object(["revision": EtcdText.number(revision)])]) { $1 })
  }

  func keys(_ query: FlagValue) -> [String] {
    let key = FakeEtcd.text(query[etcd: "key"])
    guard query[etcd: "range_end"] != nil else { return entries[key] == nil ? [] : [key] }
    let end = FakeEtcd.text(query[etcd: "range_end"])
    return entries.keys.filter { $0 >= key && $0 < end }.sorted()
  }

  func range(_ query: FlagValue) -> FlagValue {
    var keys = keys(query)
    if query[etcd: "sort_order"] == .string("DESCEND") { keys.reverse() }
    let limit = query[etcd: "limit"]?.etcdNumber.map { Int($0) } ?? .max
    let shown = keys.prefix(limit).compactMap { key in entries[key].map { FakeEtcd.kv(key, $0) } }
    // As etcd does: what is zero, false or empty is left out.
    return body(
      [
        "kvs": shown.isEmpty ? nil : .array(shown), "more": keys.count > limit ? .bool(true) : nil,
        "count": keys.isEmpty ? nil : EtcdText.number(Int64(keys.count)),
      ].compactMapValues { $0 })
  }

  mutating func transact(_ request: FlagValue) -> (FlagValue, written: [String]) {
    let holds = (request[etcd: "compare"]?.elements ?? []).allSatisfy { compare in
      let entry = entries[FakeEtcd.text(compare[etcd: "key"])]
      switch compare[etcd: "target"]?.text {
      case "MOD": return entry?.modRevision ?? 0 == compare[etcd: "mod_revision"]?.etcdNumber
      case "VALUE": return entry?.value == FakeEtcd.bytes(compare[etcd: "value"])
      case "VERSION": return (compare[etcd: "result"] == .string("EQUAL")) == (entry == nil)
      default: return false
      }
    }
    let operations = request[etcd: holds ? "success" : "failure"]?.elements ?? []
    var responses: [FlagValue] = []
    var written: [String] = []
    if operations.contains(where: { $0[etcd: "request_range"] == nil }) { revision += 1 }
    for operation in operations {
      if let put = operation[etcd: "request_put"] {
        let key = FakeEtcd.text(put[etcd: "key"])
        self.put(key, FakeEtcd.bytes(put[etcd: "value"]), isNew: false)
        entries[key]?.lease = put[etcd: "lease"]?.etcdNumber
        written.append(key)
        responses.append(.object(["response_put": body([:])]))
      } else if let query = operation[etcd: "request_range"] {
        responses.append(.object(["response_range": range(query)]))
      } else if let query = operation[etcd: "request_delete_range"] {
        for key in keys(query) { entries[key] = nil }
        responses.append(.object(["response_delete_range": body([:])]))
      }
    }
    var members: [String: FlagValue] = ["responses": .array(responses)]
    if holds { members["succeeded"] = .bool(true) }
    return (body(members), written)
  }
}

extension FlagValue {
  /// The text of a value that is made of texts and integers, which nothing keeps from being written.
  fileprivate var json: [UInt8] {
    do throws(FlagError) { return try json() } catch { preconditionFailure("\(error)") }
  }
}
