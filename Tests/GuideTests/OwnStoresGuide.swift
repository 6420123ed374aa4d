import FlagComposition
import FlagDefinitions
import FlagDefinitionsTesting
import FlagDomain
import FlagProviders
import FlagTesting
import Foundation
import SettingsFlags
import Synchronization
import Testing

final class KeptOverrides: FlagOverrideStore {
  private let values = Mutex<[FlagKey: FlagValue]>([:])
  private let subscribers = FlagSubscribers<FlagError?>()

  func load() -> [FlagKey: FlagValue] { values.withLock { $0 } }

  func write(_ changes: [FlagKey: FlagValue?]) {
    values.withLock { values in
      for (key, value) in changes { values[key] = value }
    }
  }

  func subscribe(_ onChange: @escaping @Sendable (FlagError?) -> Void) -> FlagSubscription {
    subscribers.subscribe(onChange)
  }

  func restore(_ backup: [FlagKey: FlagValue]) {
    values.withLock { $0 = backup }
    subscribers.notify(nil)
  }
}

struct SwitchFormat: DefinitionFormat {
  var name: String { "switches" }

  func read(_ text: [UInt8], of file: String?) throws(FlagDocumentError) -> any DefinitionDocument {
    var switches: [String: Bool] = [:]
    for (index, line) in String(decoding: text, as: UTF8.self).split(separator: "\n").enumerated() {
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 2, ["on", "off"].contains(words[1]) else {
        let problem = DocumentDiagnostic("expected a key, and on or off, found \(line)", line: index + 1, file: file)
        throw FlagDocumentError(diagnostics: [problem])
      }
      switches[words[0]] = words[1] == "on"
    }
    return SwitchDocument(switches: switches)
  }
}

struct SwitchDocument: DefinitionDocument {
  let switches: [String: Bool]
  var format: any DefinitionFormat { SwitchFormat() }
  var diagnostics: [DocumentDiagnostic] { [] }
  var listed: [ListedFlag] { switches.keys.sorted().compactMap(listing) }

  func listing(of key: String) -> ListedFlag? {
    switches[key].map { ListedFlag(key: key, variants: [($0 ? "on" : "off", .bool($0))]) }
  }

  func evaluate(
    _ key: String, in context: EvaluationContext, at seconds: @autoclosure () -> Int64
  ) throws(FlagError) -> FlagAnswer? {
    switches[key].map { FlagAnswer(.bool($0), variant: $0 ? "on" : "off") }
  }

  func changedKeys(from older: any DefinitionDocument) -> Set<String> {
    let before = (older as? SwitchDocument)?.switches ?? [:]
    return Set(switches.keys).union(before.keys).filter { switches[$0] != before[$0] }
  }
}

@Suite("Guide to own stores and formats")
struct OwnStoresGuide {
  @Test("What the guide shows holds")
  func holds() throws {
    try DefinitionFormatContract(SwitchFormat(), document: "new-search on\nold off", unreadable: "new-search").check()

    let store = try InMemoryDefinitionStore("new-user-profile on", format: SwitchFormat())
    let overrides = KeptOverrides()
    let flags = try FeatureFlagClient(catalogs: [SettingsFlags.catalog], overrides: overrides) {
      DefinitionStoreProvider(store)
    }
    #expect(flags.manager.variation(for: SettingsFlags.newUserProfile))
    overrides.restore([SettingsFlags.newUserProfile.key: false])
    #expect(!flags.manager.variation(for: SettingsFlags.newUserProfile))
  }
}
