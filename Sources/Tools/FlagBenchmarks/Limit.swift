/// A limit of a measure, which CI checks.
///
/// The limits are ratios and counts, since nanoseconds depend on the machine. They are wide enough for a shared
/// machine, too. Reads on threads are compared with arithmetic on as many threads at the same time, so that the number
/// of free cores does not matter; on two cores, a lock in a read fails these limits.
struct Limit: Sendable {
  /// The measure's name.
  let measure: String
  /// The limited quantity.
  let quantity: Quantity
  let range: ClosedRange<Double>

  enum Quantity: String, Sendable {
    case ratio
    case ratioToRival = "ratio to its rival"
    case allocations
    case efficiency
    case sharedReferences = "references shared"
  }

  /// All limits.
  static let all =
    ["plain", "string", "array", "codable", "tracked", "request", "fleet", "snapshot"].flatMap(contention)
    + [
      atMost(10, .ratioToRival, of: "tail.string.8"),
      atMost(1, .ratio, of: "read.bool"),
      // The rival is a lookup of such a value, whose references are counted, too, at whatever speed the processor does
      // that.
      atMost(0.6, .ratioToRival, of: "read.string"), atMost(0.6, .ratioToRival, of: "read.array"),
      atMost(0.7, .ratioToRival, of: "read.codable"),
      atMost(2, .ratioToRival, of: "read.enum-case"),
      atMost(40, .ratio, of: "read.after-change"), atMost(2, .ratio, of: "evaluate.static"),
      atMost(1.2, .ratioToRival, of: "experiment.none"), atMost(2, .ratio, of: "experiment.counted"),
      atMost(1.2, .ratioToRival, of: "experiment.request-none"),
      atMost(0.5, .ratioToRival, of: "load.10k-different"),
      // Limits of evaluations are half again what a quiet machine measures: 13, 16 and 15 for the next ones. The same
      // code takes a third more look-ups while another program has the core's other half.
      atMost(20, .ratio, of: "growthbook.targeted"), atMost(0.01, .allocations, of: "growthbook.targeted"),
      atMost(25, .ratio, of: "growthbook.second-rule"),
      atMost(15, .ratio, of: "growthbook.experiment"), atMost(0.01, .allocations, of: "growthbook.experiment"),
      atMost(1, .ratioToRival, of: "load.growthbook"),
      atMost(15, .ratio, of: "launchdarkly.target"), atMost(0.01, .allocations, of: "launchdarkly.target"),
      atMost(23, .ratio, of: "launchdarkly.targeted"), atMost(0.01, .allocations, of: "launchdarkly.targeted"),
      atMost(0.01, .allocations, of: "launchdarkly.rollout"),
      atMost(1, .ratioToRival, of: "load.launchdarkly"),
      atMost(90, .ratio, of: "request.five"), atMost(2.01, .allocations, of: "request.five"),
      atMost(150, .ratio, of: "request.five-flags"), atMost(2.01, .allocations, of: "request.five-flags"),
    ]
    + sharing + write + ["set", "hand"].flatMap(properties)
    + ["bool", "int", "double", "enum", "string", "array", "codable", "default", "set-property", "enum-case"].map {
      atMost(0.01, .allocations, of: "read.\($0)")
    }

  /// Returns the limits of a set's property, by macro or by hand: as for its flag, with any number of references.
  ///
  /// Ratios are relative to the lookup of a Bool. Counting the value's references alone takes 0.6 of it for one
  /// reference, and 0.8 to 1.0 for two: `reference.copy`.
  private static func properties(_ set: String) -> [Limit] {
    [("string", 0.8), ("array", 0.8), ("codable", 1.1)].flatMap { type, ratio in
      let measure = "read.\(set)-property.\(type)"
      return [
        atMost(ratio, .ratio, of: measure), atMost(1.2, .ratioToRival, of: measure),
        atMost(0.01, .allocations, of: measure),
      ]
    } + [
      atLeast(0.8, .efficiency, of: "threads.\(set)-string.2"),
      atLeast(0.7, .efficiency, of: "threads.\(set)-string.8"),
      atLeast(0.7, .efficiency, of: "threads.\(set)-string.16"),
      atMost(0, .sharedReferences, of: "threads.\(set)-string.2"),
    ]
  }

  /// The limits of references that other ways of reading share, and of the counters themselves.
  private static let sharing =
    ["set", "decorated", "undecorated", "renamed", "prefixed", "styled", "cut", "user", "following"].map {
      atMost(sharedReferences[$0, default: 0], .sharedReferences, of: "shared.\($0)")
    }
    + ["renamed", "prefixed", "styled"].map {
      // Throughput: a read through a wrapper takes at most 1.3 times as long.
      atLeast(1 / 1.3, .ratioToRival, of: "shared.\($0)")
    } + [
      Limit(measure: "counters.references", quantity: .sharedReferences, range: 1.99...2.01),
      Limit(measure: "counters.allocations", quantity: .allocations, range: 0.99...1.01),
    ]

  /// The limits of changes.
  private static let write = [
    atMost(135, .ratio, of: "write.override"), atMost(6.01, .allocations, of: "write.override"),
    atMost(150, .ratio, of: "write.then-read"), atMost(6.01, .allocations, of: "write.then-read"),
    atMost(165, .ratio, of: "write.streams.1000"), atMost(8.01, .allocations, of: "write.streams.1000"),
    atMost(55, .ratio, of: "write.memory.50"), atMost(5.01, .allocations, of: "write.memory.50"),
    atMost(70, .ratio, of: "write.memory.900"), atMost(6.01, .allocations, of: "write.memory.900"),
    atMost(2, .ratioToRival, of: "write.memory.900"), atMost(1.75, .ratioToRival, of: "write.client.900"),
    atMost(25_000, .ratio, of: "replace.one-of-2000"), atMost(30, .allocations, of: "replace.one-of-2000"),
  ]

  /// Returns the limits of contention: reads scale with the available cores, and no two threads count the same
  /// references.
  private static func contention(_ name: String) -> [Limit] {
    [2, 4, 8, 16].map { atLeast(0.6, .efficiency, of: "threads.\(name).\($0)") }
      + [atMost(sharedReferences[name, default: 0], .sharedReferences, of: "threads.\(name).2")]
  }

  /// The references that two threads both count, 0 for other measures: those of the user and the attributes, if both
  /// read through the manager for one user.
  private static let sharedReferences = ["user": 4.0, "following": 4]

  private static func atMost(_ bound: Double, _ quantity: Quantity, of measure: String) -> Limit {
    Limit(measure: measure, quantity: quantity, range: 0...bound)
  }

  private static func atLeast(_ bound: Double, _ quantity: Quantity, of measure: String) -> Limit {
    Limit(measure: measure, quantity: quantity, range: bound...Double.infinity)
  }

  /// Returns the limited quantity; nil if the platform does not provide it.
  fileprivate func value(of reading: Reading) -> Double? {
    switch quantity {
    case .ratio: reading.ratio
    case .ratioToRival: reading.ratioToRival
    case .allocations: reading.allocations
    case .efficiency: reading.scaling?.efficiency
    case .sharedReferences: reading.sharedReferences
    }
  }
}

/// A reading that missed a limit.
struct Miss {
  let limit: Limit
  let measure: Measure
  /// The message with the limit and the reading.
  let message: String

  /// Compares a reading with a limit; nil if it is within the limit, or if the limit is another measure's.
  init?(of limit: Limit, by measure: Measure, _ reading: Reading) {
    guard limit.measure == measure.name, let value = limit.value(of: reading), !limit.range.contains(value) else {
      return nil
    }
    let range = limit.range
    let expected =
      range.upperBound.isFinite ? "\(range.lowerBound) to \(range.upperBound)" : "at least \(range.lowerBound)"
    message = "\(measure.name): \(limit.quantity.rawValue): expected \(expected), found \(value)"
    (self.limit, self.measure) = (limit, measure)
  }
}

/// An error with the messages of all missed limits.
struct MissedLimits: Error {
  let messages: [String]
}
