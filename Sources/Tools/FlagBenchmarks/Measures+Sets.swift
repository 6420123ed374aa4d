import FlagDomain
import FlagMacros

extension Measures {
  /// The measures of flags declared by macro.
  static var sets: [Measure] {
    [
      Measure("read.set-property", against: "read.bool") {
        let set = TenFlags(try ReadFixture.manager())
        return Workload { count in
          for _ in 0..<count { blackHole(set.flagNumberOne) }
        }
      },
      Measure("read.enum-case", against: "read.set-property") {
        let manager = try ReadFixture.manager()
        return Workload { count in
          for _ in 0..<count { blackHole(manager.variation(for: EnumFlags.one)) }
        }
      },
      properties("set", "string", of: ReadFlags.init) { for _ in 0..<$1 { blackHole($0.text) } },
      properties("set", "array", of: ReadFlags.init) { for _ in 0..<$1 { blackHole($0.words) } },
      // Not the whole: a black hole would see one more copy of it, which no reader makes.
      properties("set", "codable", of: ReadFlags.init) { for _ in 0..<$1 { blackHole($0.layout.columns) } },
      properties("hand", "string", of: FlagsByHand.init) { for _ in 0..<$1 { blackHole($0.text) } },
      properties("hand", "array", of: FlagsByHand.init) { for _ in 0..<$1 { blackHole($0.words) } },
      properties("hand", "codable", of: FlagsByHand.init) { for _ in 0..<$1 { blackHole($0.layout.columns) } },
      Measure("declare.set") {
        let manager = try ReadFixture.manager()
        return Workload { count in
          for _ in 0..<count { blackHole(TenFlags(manager)) }
        }
      },
      Measure("declare.flag") {
        let manager = try ReadFixture.manager()
        return Workload { count in
          for _ in 0..<count {
            blackHole(manager.variation(for: Flag("feed.flag-number-001", default: false, "Made at each read.")))
          }
        }
      },
    ]
  }

  /// Returns the measure of a set's property, compared with its flag; the closure reads it a number of times.
  private static func properties<Flags: FlagSet>(
    _ kind: String, _ type: String, of make: @escaping @Sendable (any FeatureFlagManager) -> Flags,
    _ read: @escaping @Sendable (Flags, Int) -> Void
  ) -> Measure {
    Measure("read.\(kind)-property.\(type)", against: "read.\(type)") {
      let set = make(try ReadFixture.manager())
      return Workload { read(set, $0) }
    }
  }
}

/// Flags whose values are references, with values in the fixture.
@FlagSet("bench", "Flags with references.")
struct ReadFlags {
  @Flag(key: "feed.flag-number-005", "A long text.") var text = ""
  @Flag(key: "feed.flag-number-006", "An array.") var words: [String] = []
  @Flag(key: "feed.flag-number-007", "A structure.") var layout = Layout()
}

/// A case that is the first flag of the set of ten.
enum EnumFlags: String, CaseIterable, EnumeratedFlag {
  case one = "feed.flag-number-001"
  case two, three
  var defaultValue: Bool { false }
}

/// The same flags, declared without the macro.
struct FlagsByHand: FlagSet {
  static let text = Flag("feed.flag-number-005", default: "", "A long text.")
  static let words = Flag("feed.flag-number-006", default: [String](), "An array.")
  static let layout = Flag("feed.flag-number-007", default: Layout(), "A structure.")
  static let catalog = FlagCatalog("bench", "Flags with references.") {
    text
    words
    layout
  }

  private let manager: any FeatureFlagManager
  init(_ manager: any FeatureFlagManager) { self.manager = manager }

  var text: String { manager.variation(for: Self.text) }
  var words: [String] { manager.variation(for: Self.words) }
  var layout: Layout { manager.variation(for: Self.layout) }
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
