import FlagComposition
import FlagDomain
import FlagProviders
import FlagUserDefaults
import Foundation
import Testing

private enum Paper: String, Codable, Sendable { case small, medium, large }

extension FeatureFlag where Self == Flag<Paper> {
  fileprivate static var paper: Self { Flag("writable-paper", default: .medium, "A size.") }
}

@Suite("Writing")
struct WritingTests {
  private let flag = Flag("writable", default: 0, "A number.")
  private let optional = Flag("writable-optional", default: Int?.some(7), "")

  @Test("A value is written to every writable provider, to one, or to several")
  func writes() throws {
    let (first, second) = (InMemoryProvider(name: "first"), InMemoryProvider(name: "second"))
    let flags = try compose {
      first; failing("service"); second; InMemoryProvider(name: "third")
    }
    #expect(flags.writer.writableProviders == ["first", "second", "third"])
    #expect(try flags.writer.write(1, for: flag) == ["first", "second", "third"])
    #expect(try flags.writer.write(2, for: flag, to: "second") == ["second"])
    #expect(try flags.writer.write(3, for: flag, to: "third", "second", "third") == ["third", "second"])
    #expect(
      ["first", "second", "third"].map { flags.inspector.resolution(of: flag, from: $0, fallback: false)?.value } == [
        1, 3, 3,
      ])
    #expect(try flags.writer.reset(flag, in: "first", "third") == ["first", "third"])
    #expect(flags.manager.variation(for: flag) == 3)
  }

  @Test("Flag and value may both be named by a leading dot: in writing, overriding, replacing and reading")
  func infersTypes() throws {
    let flags = try compose { InMemoryProvider() }
    flags.setDefault(.large, for: .paper)
    #expect(flags.manager.variation(for: .paper) == .large)
    try flags.writer.write(.small, for: .paper)
    #expect(flags.manager.variation(for: .paper) == .small)
    try flags.overrides.override(.paper, with: .large)
    #expect(flags.manager.variation(for: .paper) == .large)
  }

  @Test("A provider that the flag excludes is written to only by name")
  func skipsExcluded() throws {
    let flag = Flag("writable", default: 0, FlagMetadata(excludedProviders: ["first"]))
    let flags = try compose {
      InMemoryProvider(name: "first"); InMemoryProvider(name: "second")
    }
    #expect(try flags.writer.write(1, for: flag) == ["second"])
    #expect(try flags.writer.write(1, for: flag, to: "first") == ["first"])
  }

  @Test("A provider that cannot be written to refuses, and so does an unknown one", arguments: ["service", "nobody"])
  func refuses(name: String) throws {
    let flags = try compose { failing("service") }
    #expect(throws: FlagError.self) { try flags.writer.write(1, for: flag, to: name) }
  }

  @Test("Writing where there is no provider to write to is an error")
  func refusesNowhere() throws {
    let nowhere = FlagError(.general, "expected a provider that can be written to, found none", key: flag.key)
    let flags = try compose { failing("service") }
    #expect(throws: nowhere) { try flags.writer.write(1, for: flag) }
    #expect(throws: nowhere) { try flags.writer.reset(flag) }
  }

  @Test("Null and removing have names of their own; neither can be meant by accident")
  func tellsNullFromRemoving() throws {
    let provider = InMemoryProvider()
    let flags = try compose { provider }
    let nothing: Int? = nil
    for write in [{ try flags.writer.write(nil, for: optional) }, { try flags.writer.write(nothing, for: optional) }] {
      let error = #expect(throws: FlagError.self) { try write() }
      #expect(error?.code == .typeMismatch)
    }
    #expect(flags.manager.variation(for: optional) == 7)
    try flags.writer.writeNull(for: optional)
    #expect(flags.manager.variation(for: optional) == nil)
    try flags.writer.reset(optional)
    #expect(flags.manager.variation(for: optional) == 7)
  }

  @Test("A whole provider can be reset, of the flags that the catalogs have")
  func resetsProviders() throws {
    let (first, second) = (InMemoryProvider(name: "first"), InMemoryProvider(name: "second"))
    let catalog = FlagCatalog("writable") {
      flag; optional
    }
    let flags = try FeatureFlagClient(catalogs: [catalog]) {
      first; second
    }
    try flags.writer.write(1, for: flag)
    try flags.writer.writeNull(for: optional)
    try flags.writer.resetAll(in: "first")
    #expect([flag.key, optional.key].map { first.snapshot().hasAnswer(for: $0) } == [false, false])
    #expect([flag.key, optional.key].map { second.snapshot().hasAnswer(for: $0) } == [true, true])
    #expect(throws: FlagError.self) { try flags.writer.resetAll(in: "nobody") }
  }

  @Test("A write that fails leaves every provider as it was")
  func undoes() throws {
    let first = InMemoryProvider(name: "first", [flag.key: 1])
    let flags = try compose {
      first; Refusing()
    }
    #expect(throws: FlagError(.general, "read-only disk")) { try flags.writer.write(2, for: flag) }
    #expect(flags.manager.variation(for: flag) == 1)
  }

  @Test("A write of an object that fails is undone in a file, too, where objects give way to nothing else")
  func undoesObjects() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "writing-\(UUID().uuidString).json")
    try Data(#"{"writable": 1}"#.utf8).write(to: file)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
    let first = try JSONFileProvider(contentsOf: file)
    let flags = try compose {
      first; Refusing()
    }
    #expect(throws: FlagError.self) { try flags.writer.apply(.set(["a": 1]), to: flag, in: []) }
    #expect(flags.manager.variation(for: flag) == 1)
  }

  @Test("Every provider that can be written to can be reset as a whole", arguments: Resettable.allCases)
  func resetsEach(kind: Resettable) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "writing-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let suite = folder.lastPathComponent
    defer {
      UserDefaults().removePersistentDomain(forName: suite)
      #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) }
    }
    let parts = (Flag("group.a", default: 0, ""), Flag("group.b", default: 0, ""))
    let catalog = FlagCatalog("writable") {
      flag; optional; parts.0; parts.1
    }
    let delegate = Resettable.Delegate()
    let provider = try kind.provider(folder, suite, delegate)
    let flags = try FeatureFlagClient(catalogs: [catalog]) { provider }
    try flags.writer.write(1, for: flag)
    try flags.writer.writeNull(for: optional)
    try flags.writer.write(2, for: parts.0)
    try flags.writer.write(3, for: parts.1)
    #expect([flag, parts.0, parts.1].map { flags.manager.variation(for: $0) } == [1, 2, 3])
    #expect(flags.manager.variation(for: optional) == nil)
    try flags.writer.resetAll(in: provider.name)
    for flag in catalog.flags { #expect(!provider.snapshot().hasAnswer(for: flag.key)) }
    #expect([flag, parts.0, parts.1].map { flags.manager.variation(for: $0) } == [0, 0, 0])
  }

  enum Resettable: CaseIterable {
    case memory, file, suite, dictionary, delegate, prefixed, renamed, excluding

    func provider(_ folder: URL, _ suite: String, _ delegate: Delegate) throws -> any FlagProvider {
      switch self {
      case .memory: InMemoryProvider()
      case .file: try JSONFileProvider(contentsOf: folder.appending(path: "flags.json"), isRequired: false)
      case .suite: try UserDefaultsProvider(suiteName: suite)
      case .dictionary: try UserDefaultsProvider(suiteName: suite, dictionary: "toggles")
      case .delegate: DelegateProvider(delegate)
      case .prefixed: InMemoryProvider().prefixed(with: "app")
      case .renamed: InMemoryProvider().renamed(["writable": "Writable one"])
      case .excluding: InMemoryProvider().excluding(["other"])
      }
    }

    final class Delegate: WritableFlagProviderDelegate {
      private let memory = InMemoryProvider()
      func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
        try memory.snapshot().answer(for: key, in: context)
      }
      func write(_ values: [FlagKey: FlagValue?]) { memory.write(values) }
    }
  }

  @Test("A provider that leaves out some flags of the catalogs can be reset as a whole")
  func resetsExcluding() throws {
    let memory = InMemoryProvider()
    let catalog = FlagCatalog("writable") {
      flag; optional
    }
    let flags = try FeatureFlagClient(catalogs: [catalog]) { memory.excluding([optional.key]) }
    memory.write([flag.key: 1, optional.key: 2])
    try flags.writer.resetAll(in: "in memory")
    #expect(memory.values == [optional.key: 2])
  }

  private struct Refusing: WritableFlagProvider, ProviderSnapshot {
    let name = "refusing"
    func snapshot() -> any ProviderSnapshot { self }
    func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? { nil }
    func write(_ values: [FlagKey: FlagValue?]) throws(FlagError) { throw FlagError(.general, "read-only disk") }
  }
}

extension ProviderSnapshot {
  fileprivate func hasAnswer(for key: FlagKey) -> Bool {
    do throws(FlagError) {
      return try answer(for: key, in: EvaluationContext()) != nil
    } catch {
      Issue.record(error)
      return false
    }
  }
}
