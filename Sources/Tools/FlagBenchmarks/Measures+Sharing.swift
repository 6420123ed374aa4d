import FeedFlags
import FlagComposition
import FlagDomain
import FlagProviders

extension Measures {
  /// The measures of references shared by two threads, for other ways of reading; and of the counters on known counts.
  static var sharing: [Measure] {
    [
      sharing("set") {
        let feed = FeedFlags(try ReadFixture.manager())
        return { feed.pageSize }
      },
      sharing("decorated") {
        let manager = Decorator(upstream: try ReadFixture.manager())
        return { manager.variation(for: flag) }
      },
      requests("undecorated", against: nil) { $0 },
      requests("renamed") { $0.renamed(["feed.flag-number-009": "feed.flag-number-010"]) },
      requests("prefixed", of: Flag("number-001", default: false, "")) {
        $0.prefixed(with: "feed.flag", separator: "-")
      },
      requests("styled", of: _FlagPath("feed").flag("flag-number-001", default: false, ""), keys: KeyStyle()) { $0 },
      sharing("cut") {
        let cut = try ReadFixture.flags().snapshots.snapshot()
        return { cut.variation(for: flag) }
      },
      sharing("user") {
        let manager = try ReadFixture.requestFlags().manager(for: ReadFixture.user)
        return { manager.variation(for: flag) }
      },
      sharing("following") {
        let manager = try ReadFixture.requestFlags().followingManager(for: ReadFixture.user)
        return { manager.variation(for: flag) }
      },
      Measure("counters.references") {
        let object = Object()
        return Workload(.throughput(threads: 2)) { count in
          let object = unsafe Unmanaged.passUnretained(object)
          for _ in 0..<count {
            unsafe blackHole(object.retain())
            unsafe object.release()
          }
        }
      },
      Measure("counters.allocations") {
        Workload { count in
          for _ in 0..<count {
            let memory = UnsafeMutableRawPointer.allocate(byteCount: 32, alignment: 16)
            unsafe blackHole(memory)
            unsafe memory.deallocate()
          }
        }
      },
    ]
  }

  private static let flag = Flag("feed.flag-number-001", default: false, "")

  private static func sharing<Value>(
    _ name: String, against rival: String? = nil, _ setUp: @escaping @Sendable () throws -> @Sendable () -> Value
  ) -> Measure {
    Measure("shared.\(name)", against: rival) {
      let read = try setUp()
      return Workload(.throughput(threads: 2)) { count in for _ in 0..<count { blackHole(read()) } }
    }
  }

  /// Returns the measure of a user's manager and one targeted flag, with a wrapped provider, or keys of another style.
  private static func requests(
    _ name: String, against rival: String? = "shared.undecorated", of flag: Flag<Bool> = flag, keys: KeyStyle? = nil,
    _ wrap: @escaping @Sendable (InHouseProvider) -> any FlagProvider
  ) -> Measure {
    sharing(name, against: rival) {
      let flags = try ReadFixture.requestFlags(keys: keys, wrap)
      return { flags.manager(for: FlagUser(id: "a7f3c2d9-user", countryCode: "es")).variation(for: flag) }
    }
  }

  /// A decorator as an app writes it to observe reads.
  private struct Decorator: FeatureFlagManager {
    let upstream: any FeatureFlagManager
    func variation<Value>(for flag: some FeatureFlag<Value>) -> Value { upstream.variation(for: flag) }
  }

  private final class Object: Sendable {}
}

extension ReadFixture {
  static var user: FlagUser { FlagUser(id: "a7f3c2d9-user", countryCode: "es") }

  /// Returns a client of a document of a thousand flags with rules, behind a wrapper.
  static func requestFlags(
    keys: KeyStyle? = nil, rule: String = isInShare, _ wrap: (InHouseProvider) -> any FlagProvider = { $0 }
  ) throws -> FeatureFlagClient {
    let document = try document(defaultVariant: "off", rule: rule)
    return try FeatureFlagClient(
      catalogs: [],
      configuration: .init {
        $0.keys = keys
        $0.attributes = ["appVersion": "2.14.3"]
      }
    ) {
      wrap(InHouseProvider(document))
    }
  }
}
