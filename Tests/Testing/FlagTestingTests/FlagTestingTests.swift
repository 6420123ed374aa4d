import FlagDomain
import FlagTesting
import Testing
import XCTest

private let flag = Flag("tested", default: false, "A switch.")
private let number = Flag("tested-number", default: 1, "A number.")
private let mode = Flag("tested-mode", default: Mode.calm, "A mode.")

private enum Mode: String, CaseIterable, Decodable, Sendable { case calm, busy, wild }

private enum Feature: String, CaseIterable, EnumeratedFlag {
  case first, second
  var defaultValue: Bool { self == .second }
}

@Suite("Flags for tests")
struct TestFlagsTests {
  @Test("A flag has the value that was set, else its default")
  func sets() {
    let flags = TestFlags { $0.set(number, to: 7) }
    #expect(flags.variation(for: number) == 7)
    #expect(!flags.variation(for: flag))
    flags.unset(number)
    #expect(flags.variation(for: number) == 1)
  }

  @Test("An optional flag that was not set has its default, and one that was set to nil has that")
  func setsOptionals() {
    let optional = Flag("tested-optional", default: Int?.some(5), "")
    let unset = Locked<[FlagKey]>([])
    let flags = TestFlags(onUnset: { key in unset.withLock { $0.append(key) } })
    #expect(flags.variation(for: optional) == 5)
    flags.set(optional, to: nil)
    #expect(flags.variation(for: optional) == nil)
    #expect(unset.withLock { $0 } == [optional.key])
  }

  @Test("A case of an enum of flags is set, read, overridden and remembered as any flag")
  func setsCases() throws {
    let flags = TestFlags { $0.set(Feature.first, to: true) }
    #expect(flags.variation(for: Feature.first) && flags.variation(for: Feature.second))
    try flags.override(Feature.second, with: false)
    #expect(!flags.variation(for: Feature.second))
    #expect(flags.reads == ["first", "second", "second"])
  }

  @Test("Reads are remembered, in order")
  func remembers() {
    let flags = TestFlags()
    for _ in 0..<2 { _ = flags.variation(for: flag) }
    _ = flags.variation(for: number)
    #expect(flags.reads == [flag.key, flag.key, number.key])
    flags.forgetReads()
    #expect(flags.reads == [])
  }

  @Test("In strict mode, reading a flag that was not set is an issue, at the line of the test")
  func isStrict() {
    let line = #line + 2
    withKnownIssue {
      _ = TestFlags(isStrict: true).variation(for: flag)
    } matching: { issue in
      "\(issue)".contains("the flag tested was read, and the test has not set it")
        && issue.sourceLocation.map { $0.fileName == "FlagTestingTests.swift" && $0.line == line } == true
    }
    #expect(TestFlags(isStrict: true) { $0.set(flag, to: true) }.variation(for: flag))
  }

  #if os(macOS) || os(Linux)
    @Test("Outside of a test, strict mode stops the program rather than say nothing")
    func isStrictEverywhere() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = TestFlags(isStrict: true).variation(for: Flag("tested", default: false, ""))
      }
      let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(output.contains("the flag tested was read, and the test has not set it; outside of Swift Testing"))
    }
  #endif

  @Test("A strict manager that was made in a test belongs to it, whatever thread reads it")
  func isStrictOnOtherThreads() async {
    let flags = TestFlags(isStrict: true) { $0.set(number, to: 1) }
    #expect(await Task.detached { flags.variation(for: number) }.value == 1)
  }

  @Test("One test runs in both states", arguments: flag.cases)
  func runsInBothStates(flag: FlagCase<Bool>) {
    #expect(TestFlags { flag.apply(to: $0) }.variation(for: flag.flag) == flag.value)
  }

  @Test("All states of a flag are its cases")
  func listsCases() {
    #expect(flag.cases.map(\.value) == [false, true])
    #expect(mode.cases.map(\.description) == ["tested-mode = calm", "tested-mode = busy", "tested-mode = wild"])
  }
}

@Suite("Flags in a scope")
struct ScopedFlagsTests {
  private let flags = ScopedFlags()

  @Test("Flags are restored after a body, even one that throws")
  func restores() {
    #expect(throws: Oops.self) {
      try withFlags {
        $0.set(number, to: 2)
      } run: {
        #expect(flags.variation(for: number) == 2)
        throw Oops()
      }
    }
    #expect(flags.variation(for: number) == 1)
  }

  @Test("An asynchronous body keeps its flags over suspensions and in child tasks")
  func followsTasks() async {
    await withFlags {
      $0.set(number, to: 2)
    } run: {
      await Task.yield()
      async let child = flags.variation(for: number)
      #expect(await child == 2)
      #expect(await Task { flags.variation(for: number) }.value == 2)
    }
    #expect(flags.variation(for: number) == 1)
  }

  @Test("Scopes nest")
  func nests() {
    withFlags {
      $0.set(number, to: 2)
    } run: {
      withFlags {
        $0.set(flag, to: true)
      } run: {
        #expect(flags.variation(for: flag))
        #expect(flags.variation(for: number) == 2)
      }
      #expect(!flags.variation(for: flag))
    }
  }

  @Test("Tasks that run at the same time each have their own flags", arguments: 0..<20)
  func separates(value: Int) async {
    await withFlags {
      $0.set(number, to: value)
    } run: {
      for _ in 0..<20 {
        #expect(flags.variation(for: number) == value)
        await Task.yield()
      }
    }
  }

  @Test("What no scope sets is read from the manager below, which is never changed")
  func readsBase() {
    let base = TestFlags { $0.set(number, to: 5) }
    let flags = ScopedFlags(over: base)
    #expect(flags.variation(for: number) == 5)
    withFlags {
      $0.set(flag, to: true)
    } run: {
      #expect(flags.variation(for: number) == 5)
      withFlags {
        $0.set(number, to: 6)
      } run: {
        #expect(flags.variation(for: number) == 6)
        #expect(flags.variation(for: flag))
      }
      #expect(flags.variation(for: number) == 5)
    }
    #expect(base.variation(for: number) == 5)
    #expect(!base.variation(for: flag))
  }

  private struct Oops: Error {}
}

@Suite("Flags by trait", .flags { $0.set(number, to: 10) })
struct FlagsTraitTests {
  @Test("A test has the flags of its trait, and of its suite", .flags { $0.set(flag, to: true) })
  func hasBoth() {
    #expect(ScopedFlags().variation(for: flag))
    #expect(ScopedFlags().variation(for: number) == 10)
  }

  @Test("A test without a trait has the flags of its suite alone")
  func hasSuites() {
    #expect(!ScopedFlags().variation(for: flag))
    #expect(ScopedFlags().variation(for: number) == 10)
  }

  @Test("A test's own flags count before its suite's", .flags { $0.set(number, to: 11) })
  func prefersOwn() {
    #expect(ScopedFlags().variation(for: number) == 11)
  }

  /// The line of the test, which is that of its traits: the compiler expands them there.
  private static let traitLine = #line + 3

  @Test("A strict trait knows what the test sets alone", .flags(isStrict: true) { $0.set(flag, to: true) })
  func isStrict() {
    #expect(ScopedFlags().variation(for: flag))
    withKnownIssue {
      _ = ScopedFlags().variation(for: number)
    } matching: {
      $0.sourceLocation?.line == Self.traitLine
    }
  }
}

final class FlagsInXCTestTests: XCTestCase {
  func testFlagsWorkInXCTest() {
    withFlags {
      $0.set(number, to: 3)
    } run: {
      XCTAssertEqual(ScopedFlags().variation(for: number), 3)
    }
  }

  func testUnsetFlagsAreTold() {
    let received = Recorder()
    _ = TestFlags(onUnset: received.note).variation(for: flag)
    XCTAssertEqual(received.keys, [flag.key])
  }

  private final class Recorder: Sendable {
    private let state = Locked<[FlagKey]>([])
    var keys: [FlagKey] { state.withLock { $0 } }
    @Sendable func note(_ key: FlagKey) { state.withLock { $0.append(key) } }
  }
}
