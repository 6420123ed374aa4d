import FlagComposition
import FlagDomain
import FlagProviders
import FlagTesting
import Foundation
import Testing

enum RemoteFeature: String, CaseIterable, EnumeratedFlag {
  case blaze, jetpackSocial
  case siteEditor = "site_editor_mvp"

  var defaultValue: Bool { self == .siteEditor }
}

extension RemoteFeature {
  func isEnabled(_ flags: any FeatureFlagManager = OurFlags.manager) -> Bool { flags.variation(for: self) }
}

enum OurFlags {
  static let client = FeatureFlagClient.make()
  static var manager: any FeatureFlagManager { client.manager }
}

extension FeatureFlagClient {
  fileprivate static func make() -> FeatureFlagClient {
    do {
      return try FeatureFlagClient(catalogs: [RemoteFeature.catalog]) {
        InMemoryProvider(["jetpack-social": true])
      }
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

@Suite("Guide from an enum")
struct FromEnumGuide {
  @Test("What the guide shows holds")
  func holds() throws {
    #expect(RemoteFeature.jetpackSocial.isEnabled())
    #expect(RemoteFeature.allCases.map(\.key) == ["blaze", "jetpack-social", "site_editor_mvp"])
    #expect(RemoteFeature.jetpackSocial.title == "Jetpack Social")

    let stored = InMemoryOverrides(["ff-override-blaze": true])
    let store = stored.renamed(
      Dictionary(uniqueKeysWithValues: RemoteFeature.allCases.map { ($0.key, "ff-override-\($0.rawValue)") }))
    let flags = try FeatureFlagClient(catalogs: [RemoteFeature.catalog], overrides: store) {}
    #expect(RemoteFeature.blaze.isEnabled(flags.manager))
    try flags.overrides.override(RemoteFeature.jetpackSocial, with: true)
    #expect(stored.values == ["ff-override-blaze": true, "ff-override-jetpackSocial": true])
  }

  @Test("A test sets a case", .flags { $0.set(RemoteFeature.blaze, to: true) })
  func isOn() { #expect(RemoteFeature.blaze.isEnabled(ScopedFlags())) }
}

#if canImport(ObjectiveC)
  /// The app's features, for Objective-C.
  @objc(AppFeature) public final class ObjectiveCFeature: NSObject {
    /// Whether a feature is on; false for a name that no case has.
    @objc public static func isEnabled(_ name: String) -> Bool {
      RemoteFeature(rawValue: name)?.isEnabled() ?? false
    }
  }
#endif

private final class InMemoryOverrides: FlagOverrideStore {
  private let state: Locked<[FlagKey: FlagValue]>

  init(_ values: [FlagKey: FlagValue]) { state = Locked(values) }

  var values: [FlagKey: FlagValue] { state.withLock { $0 } }
  func load() -> [FlagKey: FlagValue] { values }
  func write(_ values: [FlagKey: FlagValue?]) {
    state.withLock { state in
      for (key, value) in values { state[key] = value }
    }
  }
}
