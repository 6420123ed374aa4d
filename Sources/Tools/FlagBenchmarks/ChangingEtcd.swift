import FlagComposition
import FlagDomain
import FlagFleet
import FlagHTTP
import FlagProviders
import FlagRemote
import FlagSupport
import FlagTransport
import Foundation

extension ReadFixture {
  /// Returns a client of a thousand flags with rules in etcd, which change ten times a second for the client's
  /// lifetime.
  static func fleetFlags() throws -> FeatureFlagClient {
    let etcd = ChangingEtcd(["on", "off"].map { Array(text(defaultVariant: $0).utf8) })
    let settings = try EtcdSettings(endpoints: ["http://127.0.0.1"])
    let store = EtcdDefinitionStore(set: "app", settings: settings, environment: ServiceEnvironment(etcd))
    let provider = DefinitionStoreProvider(store)
    let changes = Locked(0)
    let subscription = provider.subscribe { _ in changes.withLock { $0 += 1 } }
    let flags = try FeatureFlagClient(catalogs: [], attributes: ["appVersion": "2.14.3"]) { provider }
    etcd.begin()
    // Wait for the definitions, and their first change.
    let end = ContinuousClock.now + .seconds(60)
    while changes.withLock({ $0 }) < 2 {
      guard ContinuousClock.now < end else { throw UsageError(message: "etcd's definitions did not come in 60 s") }
      Thread.sleep(forTimeInterval: 0.01)
    }
    subscription.cancel()
    return flags
  }
}

/// A mock etcd member for a client that follows a set: it alternates two texts, each under a revision of its own.
final class ChangingEtcd: HTTPTransport {
  private struct State {
    var revision = 1
    var watches: [Weak] = []
  }

  private struct Weak { weak var exchange: Exchange? }

  private static let root = "/flags/app/"
  private let texts: [(text: [UInt8], fingerprint: String)]
  private let state = Locked(State())

  init(_ texts: [[UInt8]]) { self.texts = texts.map { ($0, SHA256.hex(of: $0)) } }

  /// Starts changing the text ten times a second, until this object is released.
  func begin() {
    Thread.detachNewThread { [weak self] in
      while self?.change() != nil { Thread.sleep(forTimeInterval: 0.1) }
    }
  }

  private func change() {
    let (revision, exchanges) = state.withLock { state in
      state.revision += 1
      state.watches.removeAll { $0.exchange == nil }
      return (state.revision, state.watches.compactMap(\.exchange))
    }
    let line = #"{"result": {\#(Self.header(revision)), "events": [{"kv": \#(head(revision))}]}}"# + "\n"
    for exchange in exchanges { exchange.deliver(Array(line.utf8)) }
  }

  func send(_ request: TransportRequest, limit: Int) -> Exchange {
    let exchange = Exchange(limit: limit)
    exchange.deliver(HTTPResponse(.ok))
    let revision = state.withLock { state in
      if request.url.lastPathComponent == "watch" { state.watches.append(Weak(exchange: exchange)) }
      return state.revision
    }
    guard request.url.lastPathComponent == "range" else { return exchange }
    let body = String(decoding: request.body, as: UTF8.self)
    let text = texts.first { body.contains(Self.encoded(chunk(of: $0.fingerprint))) }
    let entry = text.map { Self.entry(chunk(of: $0.fingerprint), String(decoding: $0.text, as: UTF8.self), 1) }
    exchange.deliver(Array(#"{\#(Self.header(revision)), "kvs": [\#(entry ?? head(revision))]}"#.utf8))
    exchange.finish()
    return exchange
  }

  private func chunk(of fingerprint: String) -> String { "\(Self.root)documents/\(fingerprint)/0000" }

  private func head(_ revision: Int) -> String {
    let (text, fingerprint) = texts[revision % texts.count]
    let value = """
      {"format": 1, "write": "\(revision)", "revision": {"number": \(revision), "fingerprint": "\(fingerprint)",
      "timestamp": 1, "chunks": 1, "size": \(text.count)}}
      """
    return Self.entry("\(Self.root)head", value, revision)
  }

  private static func header(_ revision: Int) -> String { #""header": {"revision": "\#(revision)"}"# }

  private static func entry(_ key: String, _ value: String, _ revision: Int) -> String {
    #"{"key": "\#(encoded(key))", "value": "\#(encoded(value))", "mod_revision": "\#(revision)"}"#
  }

  private static func encoded(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
}
