import FlagComposition
import FlagDomain
import FlagProviders
import FlagTesting
import FlagUserDefaults
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
  @TaskLocal static var manager: any FeatureFlagManager = client.manager
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

    OurFlags.$manager.withValue(TestFlags { $0.set(RemoteFeature.blaze, to: true) }) {
      #expect(RemoteFeature.blaze.isEnabled())
    }
    #expect(!RemoteFeature.blaze.isEnabled())
  }

  @Test("Both states of a case are tested", arguments: RemoteFeature.blaze.cases)
  func tests(flag: FlagCase<Bool>) {
    OurFlags.$manager.withValue(TestFlags { flag.apply(to: $0) }) {
      #expect(RemoteFeature.blaze.isEnabled() == flag.value && flag.description == "blaze = \(flag.value)")
    }
  }

  @Test("An answer of the app's own API is stored by names, and what belongs to no case is returned")
  func takesAnswers() throws {
    let provider = InMemoryProvider()
    let unknown = try RemoteFeature.catalog.update(provider, with: ["blaze": true, "gone": 1])
    #expect(unknown == ["gone": 1])
    #expect(try provider.snapshot().answer(for: RemoteFeature.blaze.key, in: EvaluationContext())?.value == true)
  }

  @Test("Overrides that the app has stored by its own names are found, and cleared without its other settings")
  func keepsOverrides() throws {
    let suite = "from-enum-guide-\(UUID().uuidString)"
    defer { UserDefaults().removePersistentDomain(forName: suite) }
    let defaults = try #require(UserDefaults(suiteName: suite))
    defaults.set(true, forKey: "ff-override-blaze")
    defaults.set("es", forKey: "language")
    let stored = UserDefaultsOverrideStore(suite: suite, prefix: "ff-override-")
    let store = stored.renamed(
      Dictionary(uniqueKeysWithValues: RemoteFeature.allCases.map { ($0.key, $0.rawValue) }))
    let flags = try FeatureFlagClient(catalogs: [RemoteFeature.catalog], overrides: store) {}
    #expect(RemoteFeature.blaze.isEnabled(flags.manager))
    try flags.overrides.override(RemoteFeature.jetpackSocial, with: true)
    #expect(defaults.object(forKey: "ff-override-jetpackSocial") as? Bool == true)
    try flags.overrides.clearOverrides()
    #expect(try stored.load() == [:])
    #expect(defaults.string(forKey: "language") == "es")
  }
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
