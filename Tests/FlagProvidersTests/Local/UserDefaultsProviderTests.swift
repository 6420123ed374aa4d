import FlagDomain
import FlagProviders
import FlagTesting
import Foundation
import Testing

@Suite("User defaults provider")
final class UserDefaultsProviderTests {
  private let suiteName = "flags-\(UUID().uuidString)"
  private let provider: UserDefaultsProvider

  init() throws { provider = try UserDefaultsProvider(suiteName: suiteName) }

  deinit {
    UserDefaults.standard.removePersistentDomain(forName: suiteName)
    UserDefaults.standard.synchronize()
  }

  @Test("Meets the contract of every provider")
  func meetsContract() async throws {
    let values: [FlagKey: FlagValue] = [
      "bool": true, "int": 1, "double": 2.5, "string": "text", "list": [1, [true, "x"]], "record": ["a": ["b": 0]],
      "large": .int(Int128(Int64.max)),
    ]
    try provider.write(values.mapValues { $0 })
    var contract = ProviderContract(provider, present: values, absent: "off")
    contract.change = .init(to: ["bool": false, "int": nil as FlagValue?]) { [provider] in
      try provider.write(["bool": false, "int": nil as FlagValue?])
    }
    try await contract.check()
  }

  @Test("What was written is there for another provider of the suite, and only there")
  func persists() throws {
    let values: [FlagKey: FlagValue] = [
      "bool": true, "int": 1, "double": 2.5, "list": [1, [false, "x"]], "record": ["a": ["b": 0]],
    ]
    try provider.write(values.mapValues { $0 })
    let again = try UserDefaultsProvider(suiteName: suiteName)
    for (key, value) in values { #expect(again.snapshot().value(of: key) == value) }
    #expect(UserDefaults.standard.object(forKey: "list") == nil)
    try provider.write(nil, for: "int")
    #expect(UserDefaults(suiteName: suiteName)?.object(forKey: "int") == nil)
  }

  @Test(
    "A write with a value that cannot be stored changes nothing",
    arguments: [nil, ["a": [nil]], .int(Int128.max)] as [FlagValue])
  func refusesValues(value: FlagValue) throws {
    #expect {
      try provider.write(["good": true, "bad": value])
    } throws: { error in
      (error as? FlagError)?.code == .typeMismatch && (error as? FlagError)?.key == "bad"
    }
    #expect(provider.snapshot().value(of: "good") == nil)
    #expect(UserDefaults(suiteName: suiteName)?.object(forKey: "good") == nil)
  }

  @Test("Changes by others show after a reload, dates and data as their text")
  func reloads() throws {
    let defaults = try #require(UserDefaults(suiteName: suiteName))
    defaults.set(Date(timeIntervalSinceReferenceDate: 1), forKey: "date")
    defaults.set(Data([0, 255, 7]), forKey: "data")
    defaults.set(1, forKey: "not a key")
    #expect(provider.snapshot().value(of: "date") == nil)
    try provider.reload()
    #expect(provider.snapshot().value(of: "date") == "2001-01-01T00:00:01Z")
    #expect(provider.snapshot().value(of: "data") == "AP8H")
  }
}
