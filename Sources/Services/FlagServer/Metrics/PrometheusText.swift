/// A writer of metrics in the text format of Prometheus, version 0.0.4.
struct PrometheusText {
  enum Kind: String { case counter, gauge, histogram }

  private(set) var text = ""

  /// Adds a metric with one value; it is left out if there is none.
  mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: (some CustomStringConvertible)?) {
    if let value { add(name, kind, help, by: [([:], value)]) }
  }

  /// Adds a metric with the values of some labels, without those that are missing.
  mutating func add(
    _ name: String, _ kind: Kind, _ help: String,
    by samples: [(labels: [String: String], value: (some CustomStringConvertible)?)]
  ) {
    begin(name, kind, help)
    for (labels, value) in samples { if let value { add(name, labels, value) } }
  }

  /// Adds histograms: the number of requests within each bound, the total time, and the number of all.
  mutating func add(
    _ name: String, _ help: String, by histograms: [(labels: [String: String], value: LatencyHistogram)]
  ) {
    begin(name, .histogram, help)
    for (labels, histogram) in histograms {
      var count = 0
      for (bound, found) in zip(LatencyHistogram.bounds, histogram.counts) {
        count += found
        add("\(name)_bucket", labels.merging(["le": "\(bound)"]) { $1 }, count)
      }
      add("\(name)_bucket", labels.merging(["le": "+Inf"]) { $1 }, histogram.total)
      add("\(name)_sum", labels, histogram.sum / .seconds(1))
      add("\(name)_count", labels, histogram.total)
    }
  }

  private mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  private mutating func add(_ name: String, _ labels: [String: String], _ value: some CustomStringConvertible) {
    text += name
    if !labels.isEmpty {
      let pairs = labels.sorted { $0.key < $1.key }.map { "\($0)=\"\(Self.escaped($1))\"" }
      text += "{\(pairs.joined(separator: ","))}"
    }
    text += " \(value)\n"
  }

  private static func escaped(_ value: String) -> String {
    var text = ""
    for character in value.unicodeScalars {
      switch character {
      case "\\": text += #"\\"#
      case "\"": text += #"\""#
      case "\n": text += #"\n"#
      default: text.unicodeScalars.append(character)
      }
    }
    return text
  }
}

/// A histogram of request durations.
struct LatencyHistogram {
  static let bounds = [
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  ]

  /// The number of requests within each bound, and above the previous one.
  private(set) var counts = [Int](repeating: 0, count: bounds.count)
  private(set) var sum = Duration.zero
  private(set) var total = 0

  mutating func record(_ time: Duration) {
    let seconds = time / .seconds(1)
    if let index = Self.bounds.firstIndex(where: { seconds <= $0 }) { counts[index] += 1 }
    sum += time
    total += 1
  }
}
