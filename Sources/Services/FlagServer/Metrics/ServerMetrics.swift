import FlagDomain
package import FlagHTTP

/// The counters of a server, for Prometheus.
///
/// The number of series is bounded for any number of flags, variants and requests.
package final class ServerMetrics: Sendable {
  struct RequestSeries: Hashable, Comparable {
    let route: String
    let status: Int

    static func < (one: Self, other: Self) -> Bool { (one.route, one.status) < (other.route, other.status) }
  }

  private struct Requests {
    var counts: [RequestSeries: Int] = [:]
    var latencies: [String: LatencyHistogram] = [:]
    var refusals: [Int: Int] = [:]
    var reloadFailures = 0
  }

  /// The maximum number of series of evaluations; those of further flags or variants are counted together.
  package static let evaluationSeries = 10_000

  private let requests = Locked(Requests())
  private let evaluations = Locked<[EvaluationSeries: Int]>([:])
  private let connections = Locked<@Sendable () -> Int>({ 0 })

  /// Sets the closure that returns the number of connections, once there is a server.
  package func countConnections(_ count: @escaping @Sendable () -> Int) { connections.withLock { $0 = count } }

  func record(_ request: ServedRequest) {
    let route = request.route?.text ?? ""
    requests.withLock { requests in
      requests.counts[RequestSeries(route: route, status: request.status.code), default: 0] += 1
      requests.latencies[route, default: LatencyHistogram()].record(request.time)
    }
  }

  package func record(refusal: HTTPRequestError) {
    requests.withLock { $0.refusals[refusal.status.code, default: 0] += 1 }
  }

  func recordReloadFailure() { requests.withLock { $0.reloadFailures += 1 } }

  func record(_ evaluation: EvaluationSeries) { evaluations.withLock { $0.count(evaluation) } }

  func record(_ evaluations: [EvaluationSeries]) {
    self.evaluations.withLock { counts in for evaluation in evaluations { counts.count(evaluation) } }
  }
}

struct EvaluationSeries: Hashable, Comparable {
  let flag: String
  let variant: String
  let reason: String

  init(flag: String, _ answer: FlagAnswer) {
    self.flag = flag
    variant = answer.variant ?? ""
    reason = answer.reason.rawValue
  }

  init(flag: String) {
    self.flag = flag
    variant = ""
    reason = ResolutionReason.error.rawValue
  }

  fileprivate init() {
    flag = "(other)"
    variant = ""
    reason = ""
  }

  static func < (one: Self, other: Self) -> Bool {
    (one.flag, one.variant, one.reason) < (other.flag, other.variant, other.reason)
  }
}

extension [EvaluationSeries: Int] {
  fileprivate mutating func count(_ series: EvaluationSeries) {
    if let index = index(forKey: series) {
      values[index] += 1
    } else {
      self[count < ServerMetrics.evaluationSeries ? series : EvaluationSeries(), default: 0] += 1
    }
  }
}

// MARK: - Text

extension ServerMetrics {
  struct DocumentGauges {
    let version: String
    let flags: Int
    let brokenFlags: Int
    let age: Duration
  }

  /// The state of a store of definitions.
  struct StoreGauges {
    let name: String
    let isConnected: Bool
    let contactedAt: Int64?
    let revision: Int?
    let age: Int64?
  }

  /// Returns all metrics, in the text format of Prometheus 0.0.4.
  func text(of document: DocumentGauges?, stores: [StoreGauges] = [], streams: Int) -> String {
    let connections = connections.withLock { $0 }()
    var text = PrometheusText()
    addRequests(to: &text)
    if let document {
      text.begin("flags_document_info", .gauge, "The document that is served, by its version.")
      text.add(["version": document.version], 1)
      text.begin("flags_document_flags", .gauge, "The flags of the document.")
      text.add([:], document.flags)
      text.begin("flags_document_broken_flags", .gauge, "The flags of the document that have errors.")
      text.add([:], document.brokenFlags)
      text.begin("flags_document_age_seconds", .gauge, "For how long the document has been served.")
      text.add([:], document.age / .seconds(1))
    }
    add(stores, to: &text)
    text.begin("flags_connections", .gauge, "Connections that are open.")
    text.add([:], connections)
    text.begin("flags_event_streams", .gauge, "Streams of events that are open.")
    text.add([:], streams)
    return text.text
  }

  private func add(_ stores: [StoreGauges], to text: inout PrometheusText) {
    text.begin("flags_store_connected", .gauge, "Whether the store of definitions can be reached.")
    for store in stores { text.add(["store": store.name], store.isConnected ? 1 : 0) }
    text.begin("flags_store_contact_timestamp_seconds", .gauge, "When the store last answered.")
    for store in stores { if let time = store.contactedAt { text.add(["store": store.name], time) } }
    text.begin("flags_store_revision", .gauge, "The revision of the store that is followed.")
    for store in stores { if let revision = store.revision { text.add(["store": store.name], revision) } }
    text.begin(
      "flags_store_confirmation_age_seconds", .gauge, "The time since the store confirmed its definitions.")
    for store in stores { if let age = store.age { text.add(["store": store.name], age) } }
  }

  private func addRequests(to text: inout PrometheusText) {
    let requests = requests.withLock { $0 }
    let evaluations = evaluations.withLock { $0 }
    text.begin("flags_http_requests_total", .counter, "Requests that were answered, by route and status.")
    for (series, count) in requests.counts.sorted(by: { $0.key < $1.key }) {
      text.add(["route": series.route, "status": "\(series.status)"], count)
    }
    text.begin("flags_http_refused_total", .counter, "Clients that were refused before a handler was asked.")
    for (status, count) in requests.refusals.sorted(by: { $0.key < $1.key }) {
      text.add(["status": "\(status)"], count)
    }
    text.begin("flags_http_request_duration_seconds", .histogram, "From a whole request to its answer, by route.")
    for (route, latency) in requests.latencies.sorted(by: { $0.key < $1.key }) {
      text.add(["route": route], latency)
    }
    text.begin("flags_evaluations_total", .counter, "Evaluations over OFREP, by flag, variant and reason.")
    for (series, count) in evaluations.sorted(by: { $0.key < $1.key }) {
      text.add(["flag": series.flag, "reason": series.reason, "variant": series.variant], count)
    }
    text.begin("flags_document_reload_failures_total", .counter, "Documents that could not be read or served.")
    text.add([:], requests.reloadFailures)
  }
}
