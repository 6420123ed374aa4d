import FeedFlags
import FlagDomain
import FlagMacros
import FlagProviders
import FlagTesting
import SettingsFlags
import Testing
import XCTest

@FlagSet("hints", "Hints for newcomers.")
struct HintFlags {
  @Flag("Shows hints.") var showsHints = false
}

@Suite("Guide to testing")
struct TestingGuide {
  @Test("A model reads what a test sets")
  func readsStubs() {
    let manager = TestFlags { $0.set(FeedFlags.flags.pageSize, to: 2) }
    let model = FeedModel(flags: manager)
    #expect(model.screen.last == "3 more")
    #expect(manager.reads.contains("feed.page-size"))
  }
}

final class TestingGuideInXCTest: XCTestCase {
  func testSetFlagsAreNoFailure() {
    let manager = TestFlags(onUnset: { XCTFail("\($0) was not set") })
    manager.set(FeedFlags.flags.pageSize, to: 2)
    manager.set(FeedFlags.flags.ranking, to: .chronological)
    manager.set(FeedFlags.flags.layout, to: FeedLayout())
    XCTAssertEqual(FeedModel(flags: manager).screen.last, "3 more")
  }
}

extension TestingGuide {
  @Test("Code that signs in and overrides is tested with the same double")
  func isDouble() throws {
    let manager = TestFlags()
    SignIn(authenticator: manager).succeed()
    #expect(manager.users == [FlagUser(id: "42")])
    try DebugMenu(overriding: manager).enable(SettingsFlags.newUserProfile)
    #expect(manager.overrides == [SettingsFlags.newUserProfile.key: true])
    #expect(manager.resolution(of: SettingsFlags.newUserProfile).reason == .override)
  }

  @Test("The screen has a title", arguments: SettingsFlags.newUserProfile.cases)
  func hasTitle(flag: FlagCase<Bool>) {
    #expect(SettingsModel(flags: TestFlags { flag.apply(to: $0) }).screen.first == "Settings")
  }
}

@Suite("Hints")
struct HintTests {
  private static let showsHints = HintFlags.flags.showsHints

  @Test("Hints are shown where they are on", arguments: showsHints.cases)
  func areShown(flag: FlagCase<Bool>) {
    let hints = HintFlags(TestFlags { flag.apply(to: $0) })
    #expect(hints.showsHints == flag.value)
  }

  @Test("A trait may name it, too", .flags { $0.set(showsHints, to: true) })
  func hasHints() { #expect(HintFlags(ScopedFlags()).showsHints) }
}

extension TestingGuide {
  @Test("The profile has badges", .flags { $0.set(SettingsFlags.newUserProfile, to: true) })
  func hasBadges() {
    let model = SettingsModel(flags: ScopedFlags())
    #expect(model.screen.contains("Badges"))
    withFlags {
      $0.set(SettingsFlags.newUserProfile, to: false)
    } run: {
      #expect(!model.screen.contains("Badges"))
    }
    #expect(model.screen.contains("Badges"))
  }

  @Test("Meets the contract of every provider")
  func meetsContract() async throws {
    let provider = InMemoryProvider(["present": true])
    var contract = ProviderContract(provider, present: ["present": true], absent: "absent")
    contract.change = .init(to: ["present": false]) { provider.write(false, for: "present") }
    try await contract.check()
  }
}

private struct SignIn {
  let authenticator: any UserAuthenticator
  func succeed() { authenticator.setUser(FlagUser(id: "42")) }
}

private struct DebugMenu {
  let overriding: any FlagOverriding
  func enable(_ flag: Flag<Bool>) throws { try overriding.override(flag, with: true) }
}
