import FlagComposition
import FlagDomain
import FlagProviders

extension Measures {
  /// The measures of reads on several threads at once, each with the same flags: on two cores, up to sixteen threads.
  static var threads: [Measure] {
    let reads: [(String, @Sendable () throws -> @Sendable (Int) -> Void)] = [
      ("plain", { repeating(Flag("feed.flag-number-001", default: false, ""), in: try ReadFixture.manager()) }),
      ("string", { repeating(Flag("feed.flag-number-005", default: "", ""), in: try ReadFixture.manager()) }),
      ("array", { repeating(Flag("feed.flag-number-006", default: [String](), ""), in: try ReadFixture.manager()) }),
      ("codable", { repeating(Flag("feed.flag-number-007", default: Layout(), ""), in: try ReadFixture.manager()) }),
      ("set-string", { repeating(ReadFlags(try ReadFixture.manager())) { for _ in 0..<$1 { blackHole($0.text) } } }),
      ("hand-string", { repeating(FlagsByHand(try ReadFixture.manager())) { for _ in 0..<$1 { blackHole($0.text) } } }),
      (
        "tracked",
        { repeating(Flag("feed.flag-number-001", default: false, ""), in: try ReadFixture.flags().observedManager) }
      ),
      ("request", { ReadFixture.requests(of: try ReadFixture.requestFlags()) }),
      ("fleet", { ReadFixture.requests(of: try ReadFixture.fleetFlags()) }),
      ("snapshot", { try snapshots() }),
    ]
    return reads.flatMap { name, setUp in [1, 2, 4, 8, 16].map { throughput(name, threads: $0, setUp) } }
      + reads.prefix(2).map { name, setUp in tail(name, setUp) }
  }

  /// Returns the measure of a read's throughput; two threads are compared with one, more threads with two.
  private static func throughput(
    _ name: String, threads: Int, _ setUp: @escaping @Sendable () throws -> @Sendable (Int) -> Void
  ) -> Measure {
    let rival = threads == 1 ? nil : "threads.\(name).\(threads == 2 ? 1 : 2)"
    return Measure("threads.\(name).\(threads)", against: rival) {
      Workload(.throughput(threads: threads), run: try setUp())
    }
  }

  /// Returns the measure of the slowest reads on eight threads, compared with those of a plain value.
  private static func tail(_ name: String, _ setUp: @escaping @Sendable () throws -> @Sendable (Int) -> Void) -> Measure
  {
    Measure("tail.\(name).8", against: name == "plain" ? nil : "tail.plain.8") {
      Workload(.tail(threads: 8), run: try setUp())
    }
  }

  private static func repeating<Value>(
    _ flag: Flag<Value>, in manager: any FeatureFlagManager
  ) -> @Sendable (Int) -> Void {
    { count in for _ in 0..<count { blackHole(manager.variation(for: flag)) } }
  }

  private static func repeating<Flags: FlagSet>(
    _ set: Flags, _ read: @escaping @Sendable (Flags, Int) -> Void
  ) -> @Sendable (Int) -> Void {
    { read(set, $0) }
  }

  /// Returns the operation of creating a snapshot, and reading one flag from it.
  private static func snapshots() throws -> @Sendable (Int) -> Void {
    let snapshots = try ReadFixture.flags().snapshots
    let flag = Flag("feed.flag-number-001", default: false, "")
    return { count in for _ in 0..<count { blackHole(snapshots.snapshot().variation(for: flag)) } }
  }
}

extension ReadFixture {
  /// Returns the operation of a server's request: a manager for its user, and five targeted flags read from it.
  static func requests(of flags: FeatureFlagClient) -> @Sendable (Int) -> Void {
    let read = (1...5).compactMap { FlagKey(validating: "feed.flag-number-00\($0)") }.map {
      Flag($0, default: false, "")
    }
    let (one, two, three, four, five) = (read[0], read[1], read[2], read[3], read[4])
    return { count in
      for _ in 0..<count {
        let manager = flags.manager(for: user)
        blackHole(manager.variation(for: one))
        blackHole(manager.variation(for: two))
        blackHole(manager.variation(for: three))
        blackHole(manager.variation(for: four))
        blackHole(manager.variation(for: five))
      }
    }
  }
}
