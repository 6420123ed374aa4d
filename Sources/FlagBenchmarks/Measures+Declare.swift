import FlagDomain
import FlagMacros

extension Measures {
  /// Sets of flags that macros declare.
  static var declare: [Measure] {
    [
      Measure("declare.set") {
        let manager = try ReadFixture.manager()
        return Workload { count in
          for _ in 0..<count { blackHole(TenFlags(manager)) }
        }
      },
      Measure("read.set-property", against: "read.bool") {
        let flags = TenFlags(try ReadFixture.manager())
        return Workload { count in
          for _ in 0..<count { blackHole(flags.one) }
        }
      },
      Measure("read.group-property", against: "read.bool") {
        let flags = NestingFlags(try ReadFixture.manager())
        return Workload { count in
          for _ in 0..<count { blackHole(flags.ten.one) }
        }
      },
    ]
  }
}

@FlagSet("feed", "Ten flags.")
struct TenFlags {
  @Flag(key: "feed.flag-number-001", "One.") var one = false
  @Flag("Two.") var two = false
  @Flag("Three.") var three = 3
  @Flag("Four.") var four = 4.0
  @Flag("Five.") var five = "five"
  @Flag("Six.") var six = ["six"]
  @Flag("Seven.") var seven = false
  @Flag("Eight.") var eight = false
  @Flag("Nine.") var nine = false
  @Flag("Ten.") var ten: Int?
}

@FlagSet("nesting", "A group of ten flags.")
struct NestingFlags {
  @FlagGroup var ten: TenFlags
}
