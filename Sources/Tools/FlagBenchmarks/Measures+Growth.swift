import FlagComposition
import FlagDomain
import FlagProviders
import Synchronization

extension Measures {
  /// The measures of a read with growing numbers of flags, providers and users.
  static var growth: [Measure] {
    [10, 1000, 100_000].map(flags)
      + [1, 4, 16].flatMap { [providers($0), firstRead(providers: $0)] }
      + [1, 1000, 1_000_000].map(users)
  }

  /// Returns the measure of reading one flag after the other, out of a number of flags.
  private static func flags(_ count: Int) -> Measure {
    Measure("growth.flags.\(count)", against: "read.bool") {
      let flags = (0..<count).compactMap { FlagKey(validating: "growth.flag-\($0)") }.map {
        Flag($0, default: false, "")
      }
      let values = Dictionary(uniqueKeysWithValues: flags.map { ($0.key, FlagValue.bool(true)) })
      let manager = try FeatureFlagClient(catalogs: []) { InMemoryProvider(values) }.manager
      return Workload { operations in
        for operation in 0..<operations { blackHole(manager.variation(for: flags[operation % count])) }
      }
    }
  }

  /// Returns the measure of reading one flag, whose value comes from the last of a number of providers.
  private static func providers(_ count: Int) -> Measure {
    Measure("growth.providers.\(count)", against: "read.bool") {
      let manager = try composition(providers: count).flags.manager
      let flag = Flag("growth.flag-0", default: false, "")
      return Workload { operations in
        for _ in 0..<operations { blackHole(manager.variation(for: flag)) }
      }
    }
  }

  /// Returns the measure of that flag's first read after a change.
  private static func firstRead(providers count: Int) -> Measure {
    Measure("growth.first-read.providers.\(count)") {
      let (flags, last) = try composition(providers: count)
      let manager = flags.manager
      let flag = Flag("growth.flag-0", default: false, "")
      let isOn = Atomic(false)
      return Workload {
        last.write(.bool(isOn.logicalXor(true, ordering: .relaxed).newValue), for: "growth.flag-0")
      } run: { operations in
        for _ in 0..<operations { blackHole(manager.variation(for: flag)) }
      }
    }
  }

  private static func composition(providers count: Int) throws -> (flags: FeatureFlagClient, last: InMemoryProvider) {
    let last = InMemoryProvider(["growth.flag-0": true])
    let flags = try FeatureFlagClient(catalogs: []) {
      (1..<count).map { InMemoryProvider(name: "\($0)", ["growth.flag-1": true]) }
      last
    }
    return (flags, last)
  }

  /// Returns the measure of a manager for one out of a number of users, and of reading a flag from it.
  private static func users(_ count: Int) -> Measure {
    Measure("growth.users.\(count)") {
      let flags = try composition(providers: 1).flags
      let flag = Flag("growth.flag-0", default: false, "")
      return Workload { operations in
        for operation in 0..<operations {
          blackHole(flags.manager(for: FlagUser(id: "user-\(operation % count)")).variation(for: flag))
        }
      }
    }
  }
}
