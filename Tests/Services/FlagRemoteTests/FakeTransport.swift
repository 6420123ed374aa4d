import FlagDomain
import FlagHTTP
import FlagTransport
import Foundation
import TestSupport

/// A network in memory, whose answers a test gives, or a closure does at once.
final class FakeTransport: HTTPTransport {
  struct State: Sendable {
    var requests: [TransportRequest] = []
    var exchanges: [Exchange] = []
    var cancelled: Set<Int> = []
  }

  let state = Watched(State())
  private let answer: @Sendable (Int, TransportRequest) -> HTTPResponse?

  init(_ answer: @escaping @Sendable (Int, TransportRequest) -> HTTPResponse? = { _, _ in nil }) {
    self.answer = answer
  }

  func send(_ request: TransportRequest, limit: Int) -> Exchange {
    let exchange = Exchange(limit: limit)
    let number = Locked(0)
    state.change { state in
      number.withLock { $0 = state.requests.count }
      state.requests.append(request)
      state.exchanges.append(exchange)
    }
    let index = number.withLock { $0 }
    exchange.onCancel { [weak self] in self?.state.change { _ = $0.cancelled.insert(index) } }
    if let response = answer(index, request) { exchange.answer(response) }
    return exchange
  }

  /// Waits for a request, counted from 0; ends the tests if it does not arrive within the suite's timeout.
  @discardableResult
  func request(_ number: Int) async -> TransportRequest {
    await state.wait { $0.requests.count > number }
    let requests = state.value.requests
    guard requests.count > number else {
      preconditionFailure("expected request \(number), found \(requests.map(\.line))")
    }
    return requests[number]
  }

  /// Waits for a request, and answers it.
  func answer(_ number: Int, with response: HTTPResponse) async {
    await request(number)
    state.value.exchanges[number].answer(response)
  }

  func fail(_ number: Int, _ error: TransportError = .notConnected("connection refused")) async {
    await request(number)
    state.value.exchanges[number].finish(error)
  }

  /// Waits for a request for a stream, and begins to answer it.
  func openStream(_ number: Int) async -> Exchange {
    await request(number)
    let exchange = state.value.exchanges[number]
    exchange.deliver(HTTPResponse(.ok, fields: [.contentType: "text/event-stream"]))
    return exchange
  }

  func waitForCancellation(_ number: Int) async { await state.wait { $0.cancelled.contains(number) } }

  var requests: [TransportRequest] { state.value.requests }
}

extension TransportRequest {
  /// The request in a line: method, path, query, tag.
  var line: String {
    let query = url.query().map { "?\($0)" } ?? ""
    let tag = fields[.ifNoneMatch].map { " if not \($0)" } ?? ""
    return "\(method) \(url.path())\(query)\(tag)"
  }
}

/// Addresses that tests ask.
enum Addresses {
  static let definitions = address("https://flags.example/flags.json")
  static let events = address("https://flags.example/events")
  static let ofrep = address("https://flags.example/api")

  static func address(_ text: String) -> URL {
    guard let url = URL(string: text) else { preconditionFailure("expected an address, found \(text)") }
    return url
  }
}
