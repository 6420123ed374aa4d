import FlagDomain
import FlagMacros

extension Measures {
  /// Flags declared by macro.
  static var sets: [Measure] {
    [
      Measure("read.set-property", against: "read.bool") {
        let set = TenFlags(try ReadFixture.manager())
        return Workload { count in
          for _ in 0..<count { blackHole(set.flagNumberOne) }
        }
      },
      Measure("declare.set") {
        let manager = try ReadFixture.manager()
        return Workload { count in
          for _ in 0..<count { blackHole(TenFlags(manager)) }
        }
      },
    ]
  }
}

@FlagSet("bench", "Ten flags.")
struct TenFlags {
  @Flag(key: "feed.flag-number-001", "One.") var flagNumberOne = false
  @Flag(key: "feed.flag-number-002", "Two.") var flagNumberTwo = 0
  @Flag("Three.") var three = 0.5
  @Flag("Four.") var four = "four"
  @Flag("Five.") var five = [5]
  @Flag("Six.") var six = true
  @Flag("Seven.") var seven: Int?
  @Flag("Eight.") var eight: Ranking = .newest
  @Flag("Nine.") var nine = false
  @Flag("Ten.") var ten = false
}
