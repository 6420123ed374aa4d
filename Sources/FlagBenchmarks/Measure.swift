import AllocationCounter

/// Something that is timed: a name, and what sets it up again for each run of the program.
struct Measure: Sendable {
  /// The measure's name: its topic, a dot, and what is measured.
  let name: String
  /// The measure that this one is also compared with, or nil.
  let rival: String?
  /// Makes what the measure needs; this is not timed.
  let setUp: @Sendable () throws -> Workload

  init(_ name: String, against rival: String? = nil, setUp: @escaping @Sendable () throws -> Workload) {
    self.name = name
    self.rival = rival
    self.setUp = setUp
  }
}

/// The operation of a measure, ready to run.
struct Workload: Sendable {
  /// Runs the operation as many times as it is told, with nothing else in the loop than ``blackHole(_:)``.
  let run: @Sendable (Int) -> Void
  /// What is wanted of the operation.
  var kind = Kind.time
  /// What one operation is counted as, where it does the same thing many times.
  var parts = 1
  /// What happens before each single operation and is neither timed nor counted, or nil.
  var before: (@Sendable () -> Void)?
  /// What another thread does over and over while the operation is timed, or nil.
  var meanwhile: (@Sendable () -> Void)?

  /// What is found out about an operation, and what a measure and its rival are compared by.
  enum Kind {
    /// How long it takes on a thread that has a core to itself.
    case time
    /// How often it is done by a number of threads at once.
    case throughput(threads: Int)
    /// How long the longest of ten thousand takes among a number of threads: the 99.99th percentile.
    case tail(threads: Int)
  }

  init(
    _ kind: Kind = .time, parts: Int = 1, before: (@Sendable () -> Void)? = nil,
    meanwhile: (@Sendable () -> Void)? = nil, run: @escaping @Sendable (Int) -> Void
  ) {
    self.run = run
    self.kind = kind
    self.parts = parts
    self.before = before
    self.meanwhile = meanwhile
  }
}

extension Workload {
  /// As many threads that do arithmetic alone, and so take all the time that their cores have for them; nil where this
  /// workload is not done by threads for its throughput.
  var yardstick: Workload? {
    guard case .throughput = kind else { return nil }
    return Workload(kind) { count in
      var bits: UInt64 = 1
      for _ in 0..<count {
        bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        blackHole(bits)
      }
    }
  }
}

/// Keeps the compiler from leaving out the computation of a value, and from moving it out of a loop.
///
/// It consumes the value: of a borrowed one, the compiler would make a copy that no reader makes.
@inline(__always)
func blackHole<Value>(_ value: consuming Value) {
  // The pointer is not kept and not read: the callee is an empty assembler statement.
  withUnsafeMutablePointer(to: &value) { allocation_counter_black_hole($0) }
}
