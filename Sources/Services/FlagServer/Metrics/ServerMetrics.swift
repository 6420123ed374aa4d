import FlagDefinitions
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
  /// Returns all metrics, in the text format of Prometheus 0.0.4.
  ///
  /// The definitions come with the time for which they have been served; they are nil if there are none. The time is
  /// in seconds since 1970.
  func text(
    of served: (definitions: ServedDefinitions, age: Duration)?, stores: [any DefinitionStore], at seconds: Int64,
    streams: Int, process: ProcessFigures
  ) -> String {
    let connections = connections.withLock { $0 }()
    let requests = requests.withLock { $0 }
    let evaluations = evaluations.withLock { $0 }
    let stores = stores.map { (labels: ["store": $0.name], status: $0.status) }
    var text = PrometheusText()
    text.add(
      "flags_http_requests_total", .counter, "Requests that were answered, by route and status.",
      by: requests.counts.sorted { $0.key < $1.key }.map {
        (["route": $0.route, "status": "\($0.status)"], $1)
      })
    text.add(
      "flags_http_refused_total", .counter, "Clients that were refused before a handler was asked.",
      by: requests.refusals.sorted { $0.key < $1.key }.map { (["status": "\($0)"], $1) })
    text.add(
      "flags_http_request_duration_seconds", "From a whole request to its answer, by route.",
      by: requests.latencies.sorted { $0.key < $1.key }.map { (["route": $0], $1) })
    text.add(
      "flags_evaluations_total", .counter, "Evaluations over OFREP, by flag, variant and reason.",
      by: evaluations.sorted { $0.key < $1.key }.map {
        (["flag": $0.flag, "reason": $0.reason, "variant": $0.variant], $1)
      })
    text.add(
      "flags_document_reload_failures_total", .counter, "Documents that could not be read or served.",
      requests.reloadFailures)
    if let (definitions, age) = served {
      text.add(
        "flags_document_info", .gauge, "The document that is served, by its version.",
        by: [(["version": definitions.tag.opaque], 1)])
      text.add("flags_document_flags", .gauge, "The flags of the document.", definitions.flags.count)
      text.add(
        "flags_document_broken_flags", .gauge, "The flags of the document that have errors.", definitions.brokenFlags)
      text.add(
        "flags_document_age_seconds", .gauge, "For how long the document has been served.", age / .seconds(1))
    }
    text.add(
      "flags_store_connected", .gauge, "Whether the store of definitions can be reached.",
      by: stores.map { ($0, $1.isConnected ? 1 : 0) })
    text.add(
      "flags_store_contact_timestamp_seconds", .gauge, "When the store last answered.",
      by: stores.map { ($0, $1.contactedAt) })
    text.add(
      "flags_store_revision", .gauge, "The revision of the store that is followed.",
      by: stores.map { ($0, $1.definitions?.version.revision) })
    text.add(
      "flags_store_confirmation_age_seconds", .gauge, "The time since the store confirmed its definitions.",
      by: stores.map { ($0, $1.fetchedAt.map { max(0, seconds - $0) }) })
    text.add("flags_connections", .gauge, "Connections that are open.", connections)
    text.add("flags_event_streams", .gauge, "Streams of events that are open.", streams)
    text.add("flags_build_info", .gauge, "The version of the server.", by: [(["version": PackageVersion.text], 1)])
    // Those of the process have the names that Prometheus' own libraries use.
    text.add(
      "process_start_time_seconds", .gauge, "When the server began, in seconds since 1970.", process.startedAt)
    text.add(
      "process_cpu_seconds_total", .counter, "The time that the process has run, in seconds.", process.processorTime)
    text.add("process_resident_memory_bytes", .gauge, "The memory of the process.", process.memory)
    text.add("process_open_fds", .gauge, "The file descriptors of the process.", process.descriptors)
    return text.text
  }
}
