import FlagHTTP
import Foundation
import Synchronization

@testable import FlagServer

extension Service {
  static let test = Service.test(EventFeed())

  /// The requests of the tests.
  static func test(_ feed: EventFeed, gate: Gate = Gate()) -> Service {
    Service(
      [
        .init(.get, "/echo/{text}", .immediate { .text($0.parameters["text"] ?? "") }),
        .init(.get, "/health", isHealthCheck: true, .immediate { _ in .text("ok") }),
        .init(.post, "/body", .immediate { .response(HTTPResponse(.ok, body: $0.message.body)) }),
        .init(.get, "/large", .immediate { _ in .response(HTTPResponse(.ok, body: large)) }),
        .init(.get, "/fail", .immediate { _ in throw Failure.secret }),
        .init(.get, "/events", .immediate { _ in .events(feed) }),
        .init(
          .get, "/wait/{text}",
          .waiting { request in
            switch request.parameters["text"] {
            case "fail": throw Failure.secret
            case "long": try await Task.sleep(for: .seconds(3600))
            default: await Task.yield()
            }
            return .text(request.parameters["text"] ?? "")
          }),
        .init(
          .get, "/gate",
          .waiting { _ in
            await gate.pass()
            return .text("open")
          }),
      ], middleware: [.hosts(HostPolicy(allowsLoopback: true))])
  }

  private enum Failure: Error { case secret }

  private static let large = [UInt8](repeating: 0x61, count: 8 << 20)
}

extension ServerReply {
  fileprivate static func text(_ text: String) -> ServerReply { .response(HTTPResponse(.ok, text: text)) }
}

/// A time that passes when a test says so.
final class TestTime: Sendable {
  private let time = Mutex(ContinuousClock.now)

  func advance(by duration: Duration) { time.withLock { $0 += duration } }

  var environment: ServerEnvironment {
    var environment = ServerEnvironment()
    environment.now = { [self] in time.withLock { $0 } }
    return environment
  }
}

/// A gate at which a handler waits until a test opens it.
final class Gate: Sendable {
  private let arrivals = DispatchSemaphore(value: 0)
  private let waiter = Mutex<(isOpen: Bool, waiters: [CheckedContinuation<Void, Never>])>((false, []))

  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = waiter.withLock { state in
        if !state.isOpen { state.waiters.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
      arrivals.signal()
    }
  }

  func waitForArrival() { _ = arrivals.wait(timeout: .now() + 600) }

  func open() {
    let waiters = waiter.withLock { state in
      state.isOpen = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}

/// The log of a server's requests.
final class Log: Sendable {
  private let entries = Mutex<[ServedRequest]>([])
  private let errors = Mutex<[HTTPRequestError]>([])

  func add(_ request: ServedRequest) { entries.withLock { $0.append(request) } }
  func add(_ error: HTTPRequestError) { errors.withLock { $0.append(error) } }
  var requests: [ServedRequest] { entries.withLock { $0 } }
  var refusals: [HTTPStatus] { errors.withLock { $0.map(\.status) } }
}
