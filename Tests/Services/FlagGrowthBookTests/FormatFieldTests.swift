import FlagDomain
import FlagGrowthBook
import FlagProviders
import TestSupport
import Testing

@Suite("Every field of GrowthBook's format")
struct FormatFieldTests {
  @Test("Formats are equal if every field is, and their stores are the same")
  func compares() {
    var settings = GrowthBookSettings()
    settings.isQAMode = true
    settings.forcedVariations = ["checkout": 1]
    let stored = [StickyBucketUnit(attribute: "id", value: "ann"): ["checkout__0": "1"]]
    let format = GrowthBookFormat(
      settings: settings, decryptionKey: "a key", stickyBuckets: InMemoryStickyBuckets(stored))
    expectComparison(
      of: format,
      afterEach: [
        { $0.settings.attributeNames = [:] },
        { $0.settings.isEnabled = false }, { $0.settings.isQAMode = false }, { $0.settings.forcedVariations = [:] },
        { $0.decryptionKey = nil }, { $0.stickyBuckets = nil },
      ], by: ==)
    var other = format
    other.stickyBuckets = InMemoryStickyBuckets(stored)
    #expect(other != format)
  }
}
