import FlagCounters

/// A named measure, with a closure that sets it up for each run of the program.
struct Measure: Sendable {
  /// The measure's name: its topic, a dot, and its subject.
  let name: String
  /// The measure that this one is also compared with, or nil.
  let rival: String?
  /// The closure that creates the workload; this is not timed.
  let setUp: @Sendable () throws -> Workload

  init(_ name: String, against rival: String? = nil, setUp: @escaping @Sendable () throws -> Workload) {
    self.name = name
    self.rival = rival
    self.setUp = setUp
  }
}

/// The operation of a measure, ready to run.
struct Workload: Sendable {
  /// The closure that runs the operation a number of times, with nothing else in the loop than ``blackHole(_:)``.
  let run: @Sendable (Int) -> Void
  /// The measured quantity.
  var kind = Kind.time
  /// The number of operations that one run of the closure counts as.
  var parts = 1
  /// The closure that runs before each single operation without being timed or counted, or nil.
  var before: (@Sendable () -> Void)?
  /// The closure that runs repeatedly on another thread while the operation is timed, or nil.
  var meanwhile: (@Sendable () -> Void)?

  /// A measured quantity, by which a measure and its rival are compared.
  enum Kind {
    /// The time that it takes on a thread with a core to itself.
    case time
    /// The throughput on a number of threads at once.
    case throughput(threads: Int)
    /// The 99.99th percentile of its time on a number of threads.
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

  /// The arithmetic on as many threads, which uses all the time that their cores provide; nil if this workload does not
  /// measure throughput.
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

/// Prevents the compiler from removing the computation of a value, and from moving it out of a loop.
///
/// It consumes the value: to borrow it, the compiler would make a copy that no reader makes.
@inline(__always)
func blackHole<Value>(_ value: consuming Value) {
  // The pointer is not stored and not dereferenced: the callee is an empty assembler statement.
  unsafe withUnsafeMutablePointer(to: &value) { unsafe allocation_counter_black_hole($0) }
}
