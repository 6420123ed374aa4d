import TestSupport
import Testing

@Suite("Time to compile", .needs(.thoroughRun), .needs(.compiler), .needs(.bash))
struct CompileTimeTests {
  /// The time of the processor counts, as a ratio.
  ///
  /// So neither how fast the machine is nor what else it does decides. An initializer that assigned the flags one by
  /// one took 56 times as long for four times as many, and optimized, 8 times as long for three times as many.
  @Test(
    "The time to compile a set grows with its flags, not with their square",
    arguments: [("-Onone", 400, 7), ("-O", 300, 5)])
  func growth(option: String, count: Int, bar: Double) async throws {
    let ratio = try await Compiler().ratio(
      below: bar, compiling: Self.set(of: count), relativeTo: Self.set(of: 100), option: option)
    #expect(ratio < bar)
  }

  /// By hand, 400 flags took 0.6 s, and by macro 1.9 s, of which 0.6 s is the compiler's part of a question to the
  /// plugin for each flag.
  @Test("A set takes no more than four times as long to compile as the same flags and properties by hand")
  func byHand() async throws {
    let ratio = try await Compiler().ratio(
      below: 4, compiling: Self.set(of: 400), relativeTo: Self.handWrittenSet(of: 400), option: "-Onone")
    #expect(ratio < 4)
  }

  private static func handWrittenSet(of count: Int) -> String {
    let kinds = [("Int", "1"), ("Bool", "true"), ("String", "\"text\""), ("[String]", "[]"), ("Double?", "nil")]
    let flags = (0..<count).map { index in
      let (type, value) = kinds[index % kinds.count]
      return """
        public static let flag\(index) = Flag<\(type)>("large.flag\(index)", default: \(value), "A flag.")
        public var flag\(index): \(type) { manager.variation(for: Self.flag\(index)) }
        """
    }
    return """
      public import FlagDomain

      public struct LargeFlags {
        private let manager: any FeatureFlagManager
        \(flags.joined(separator: "\n"))
      }
      """
  }

  private static func set(of count: Int) -> String {
    let flags = (0..<count).map { index in
      switch index % 5 {
      case 0: "@Flag(\"Number.\") public var flag\(index) = \(index)"
      case 1: "@Flag(\"Switch.\") public var flag\(index) = true"
      case 2: "@Flag(\"Text.\", owner: \"growth\") public var flag\(index) = \"text\""
      case 3: "@Flag(\"Array.\") public var flag\(index): [String] = []"
      default: "@Flag(key: \"key\(index)\", \"Maybe.\") public var flag\(index): Double?"
      }
    }
    return """
      public import FlagDomain
      import FlagMacros

      @FlagSet("large", "A large set.") public struct LargeFlags {
        \(flags.joined(separator: "\n  "))
      }
      """
  }
}
