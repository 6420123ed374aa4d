/// Something that is timed: a name, and what sets it up anew for each run of the program.
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
  /// How many threads run the operation at the same time.
  var threads = 1
  /// What happens before each single operation and is neither timed nor counted, or nil.
  var before: (@Sendable () -> Void)?
  /// What another thread does over and over while the operation is timed, or nil.
  var meanwhile: (@Sendable () -> Void)?

  init(
    threads: Int = 1, before: (@Sendable () -> Void)? = nil, meanwhile: (@Sendable () -> Void)? = nil,
    run: @escaping @Sendable (Int) -> Void
  ) {
    self.run = run
    self.threads = threads
    self.before = before
    self.meanwhile = meanwhile
  }
}
