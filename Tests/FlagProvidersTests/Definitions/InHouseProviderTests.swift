import FlagDefinitions
import FlagDomain
import FlagProviders
import FlagTesting
import Foundation
import TestSupport
import Testing

@Suite("In-house provider", .timeLimit(.minutes(15)))
struct InHouseProviderTests {
  @Test("An update is served and announced, with the keys that it changed")
  func update() throws {
    let provider = try InHouseProvider(data: Data(Self.document.utf8))
    let received = Locked<[ChangedKeys]>([])
    let subscription = provider.subscribe { keys in received.withLock { $0.append(keys) } }
    let before = provider.snapshot()
    try provider.update(with: Data(Self.document.replacing(#""v": 1"#, with: #""v": 2"#).utf8))
    try provider.update(with: Data(Self.document.replacing(#""v": 1"#, with: #""v": 2"#).utf8))
    #expect(try before.answer(for: "a", in: EvaluationContext())?.value == 1)
    #expect(try provider.snapshot().answer(for: "a", in: EvaluationContext())?.value == 2)
    #expect(received.withLock { $0 } == [.some(["a"])])
    subscription.cancel()
    try provider.update(with: Data(Self.document.utf8))
    #expect(received.withLock { $0.count } == 1)
  }

  @Test("A document that cannot be read leaves the old one in place")
  func badUpdate() throws {
    let provider = try InHouseProvider(data: Data(Self.document.utf8))
    #expect(throws: FlagDocumentError.self) { try provider.update(with: Data("{".utf8)) }
    #expect(try provider.snapshot().answer(for: "a", in: EvaluationContext())?.value == 1)
  }

  @Test("A document that loses all its flags is served, with one warning that says how many went")
  func emptied() throws {
    let provider = try InHouseProvider(data: Data(Self.document.utf8))
    try provider.update(with: Data(#"{"flags": {}}"#.utf8))
    let warnings = provider.snapshot().findings.map(\.message)
    let words =
      "warning: the document has no flags, in place of the 2 flags before; their defaults in the code are used"
    #expect(warnings == [words] && provider.snapshot().findings.first?.provider == "in-house")
    #expect(try provider.snapshot().answer(for: "a", in: EvaluationContext()) == nil)
    try provider.update(with: Data(#"{"flags": {}, "metadata": {}}"#.utf8))
    #expect(provider.snapshot().findings.isEmpty, "there were none before")
    #expect(try InHouseProvider(data: Data(#"{"flags": {}}"#.utf8)).snapshot().findings.isEmpty)
    let store = try InMemoryDefinitionStore(Self.document)
    let following = DefinitionStoreProvider(store)
    store.set(#"{"flags": {}}"#)
    #expect(following.snapshot().findings.map(\.message) == [words])
  }

  @Test("Errors name the flag and the provider, and flags that are not there are no error")
  func errors() throws {
    let provider = InHouseProvider(try FlagDocument(Self.document), name: "ours")
    #expect(
      throws: FlagError(
        .parseError, "$.flags.broken: expected an object with a flag's \"state\" and \"variants\", found the integer 1",
        key: "broken", provider: "ours")
    ) {
      try provider.snapshot().answer(for: "broken", in: EvaluationContext())
    }
    #expect(try provider.snapshot().answer(for: "absent", in: EvaluationContext()) == nil)
    #expect(provider.diagnostics.map(\.line) == [1])
  }

  @Test("Rules see the time of the question, not that of the snapshot")
  func time() throws {
    let document = try FlagDocument(rule: #"{"if": [{">": [{"var": "$flagd.timestamp"}, 5]}, "on"]}"#)
    let clock = Clock()
    let snapshot = InHouseProvider(document, now: clock.now).snapshot()
    #expect(try snapshot.answer(for: "flag", in: EvaluationContext())?.variant == "off")
    clock.seconds.withLock { $0 = 6 }
    #expect(try snapshot.answer(for: "flag", in: EvaluationContext())?.variant == "on")
  }

  @Test("An error of a rule about time may pass with time, and says so")
  func transientError() throws {
    let document = try FlagDocument(rule: #"{"if": [{"<": [{"var": "$flagd.timestamp"}, 5]}, "nope", "on"]}"#)
    let error = #expect(throws: FlagError.self) {
      try InHouseProvider(document, now: { 1 }).snapshot().answer(for: "flag", in: EvaluationContext())
    }
    #expect(error?.isTransient == true)
  }

  @Test("A file is served from where it lies")
  func file() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("flags-\(UUID().uuidString).json")
    try Data(Self.document.utf8).write(to: file)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
    #expect(try InHouseProvider(contentsOf: file).snapshot().answer(for: "a", in: EvaluationContext())?.value == 1)
    #expect(throws: (any Error).self) { try InHouseProvider(contentsOf: file.appendingPathComponent("absent")) }
  }

  @Test("What is wrong with a file's document names the file, to people and to reporters")
  func namesFile() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("flags.json", Self.document)
    let findings = try InHouseProvider(contentsOf: file).snapshot().findings
    #expect(findings.count == 1 && findings.allSatisfy { $0.message.hasPrefix("\(file.path):1:") })
    let flag = #"{"state": "ENABLED", "variants": {"x": 1}, "defaultVariant": "y"}"#
    let flags = (0..<5).map { "\"f\($0)\": \(flag)" }.joined(separator: ", ")
    let many = try folder.file("many.json", "{\"flags\": {\(flags)}}")
    let grouped = try InHouseProvider(contentsOf: many).snapshot().findings
    #expect(grouped.map(\.message).contains { $0.hasSuffix("is named \"y\", first at $.flags.f0.defaultVariant") })
    #expect(grouped.count == 1)
    let broken = try folder.file("broken.json", "{")
    let error = #expect(throws: FlagDocumentError.self) { try InHouseProvider(contentsOf: broken) }
    #expect((error as (any Error)?)?.localizedDescription.hasPrefix("\(broken.path):1:2: ") == true)
    let provider = try InHouseProvider(data: Data(Self.document.utf8))
    let errors = Recorder<String>()
    let subscription = provider.follow(broken) { errors.record($0.localizedDescription) }
    #expect(errors.events.count == 1 && errors.events.allSatisfy { $0.hasPrefix("\(broken.path):1:2: ") })
    subscription.cancel()
  }

  @Test(
    "A provider of a file that is missing or broken starts, with what is bundled, and takes the file when it is there",
    arguments: [nil, "{", "[]", "", #"{"flags": 1}"#], [true, false])
  func startsWithoutFile(text: String?, isBundled: Bool) async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "new/flags.json")
    if let text {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let errors = Recorder<String>()
    let bundled = isBundled ? Data(Self.document.replacing(#""v": 1"#, with: #""v": 7"#).utf8) : nil
    let provider = try InHouseProvider(following: file, bundled: bundled, polling: .milliseconds(5)) {
      errors.record($0.localizedDescription)
    }
    #expect(errors.events.count == 1 && errors.events.allSatisfy { $0.contains(file.path) }, "\(errors.events)")
    let status = provider.providerStatus
    #expect(status.isSettled && status.error?.message.hasPrefix(file.path) == true)
    #expect(status.state == (isBundled ? .stale : .error))
    if isBundled {
      let answer = try provider.snapshot().answer(for: "a", in: EvaluationContext())
      #expect(answer?.value == 7 && answer?.reason == .stale)
    } else {
      #expect(throws: FlagError.self) { try provider.snapshot().answer(for: "a", in: EvaluationContext()) }
    }
    let (changes, changed) = AsyncStream.makeStream(of: ChangedKeys.self)
    let subscription = provider.subscribe { changed.yield($0) }
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(Self.document.utf8).write(to: file, options: .atomic)
    for await _ in changes where provider.providerStatus.state == .ready { break }
    let answer = try provider.snapshot().answer(for: "a", in: EvaluationContext())
    #expect(answer?.value == 1 && answer?.reason == .static)
    #expect(provider.providerStatus == ProviderStatus(.fresh, isSettled: true) && errors.events.count == 1)
    subscription.cancel()
  }

  @Test("A followed file of another format is read in that format from its first appearance on")
  func keepsFormat() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "flags.txt")
    let provider = try DocumentProvider(following: file, format: LineFormat(), polling: .milliseconds(5))
    let (changes, changed) = AsyncStream.makeStream(of: ChangedKeys.self)
    let subscription = provider.subscribe { changed.yield($0) }
    try Data("a = on".utf8).write(to: file, options: .atomic)
    for await _ in changes where provider.providerStatus.state == .ready { break }
    #expect(provider.document?.format.name == LineFormat().name)
    subscription.cancel()
  }

  @Test("A bundled document that cannot be served is an error")
  func refusesBundle() throws {
    let file = try TemporaryFolder().url.appending(path: "flags.json")
    #expect(throws: FlagDocumentError.self) { try InHouseProvider(following: file, bundled: Data("{".utf8)) }
  }

  @Test("A followed file is served with its changes; an invalid one is reported")
  func follows() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("flags.json", Self.document)
    let (failures, failed) = AsyncStream.makeStream(of: FlagError?.self)
    let (changes, changed) = AsyncStream.makeStream(of: ChangedKeys.self)
    let provider = try InHouseProvider(following: file, polling: .milliseconds(5)) { failed.yield($0 as? FlagError) }
    let subscription = provider.subscribe { changed.yield($0) }
    var updates = changes.makeAsyncIterator()
    var errors = failures.makeAsyncIterator()
    #expect(try provider.snapshot().answer(for: "a", in: EvaluationContext())?.value == 1)
    try Data("{".utf8).write(to: file, options: .atomic)
    #expect(await errors.next() == .some(nil))
    try FileManager.default.removeItem(at: file)
    #expect(await errors.next()??.message == "\(file.path): expected a file that can be read: it does not exist")
    try Data(Self.document.replacing(#""v": 1"#, with: #""v": 2"#).utf8).write(to: file, options: .atomic)
    // The status changes at each failure, too.
    while try provider.snapshot().answer(for: "a", in: EvaluationContext())?.value != 2 { _ = await updates.next() }
    #expect(provider.providerStatus == ProviderStatus(.fresh, isSettled: true))
    subscription.cancel()
  }

  @Test("A provider of another document serves the file's as soon as it follows it, and its own until there is one")
  func followsInstead() async throws {
    let folder = try TemporaryFolder()
    let provider = try InHouseProvider(data: Data(Self.document.utf8))
    let errors = Recorder<String>()
    let file = folder.url.appending(path: "later/flags.json")
    let (changes, changed) = AsyncStream.makeStream(of: ChangedKeys.self)
    let subscription = provider.subscribe { changed.yield($0) }
    var updates = changes.makeAsyncIterator()
    let first = provider.follow(file, polling: .milliseconds(5)) { errors.record("\($0)") }
    #expect(errors.events.count == 1)
    #expect(try provider.snapshot().answer(for: "a", in: EvaluationContext())?.value == 1)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(Self.document.replacing(#""v": 1"#, with: #""v": 2"#).utf8).write(to: file, options: .atomic)
    #expect(await updates.next() == .some(["a"]))
    first.cancel()
    try Data(Self.document.replacing(#""v": 1"#, with: #""v": 3"#).utf8).write(to: file, options: .atomic)
    #expect(try provider.snapshot().answer(for: "a", in: EvaluationContext())?.value == 2)
    let second = provider.follow(file, polling: .milliseconds(5)) { errors.record("\($0)") }
    #expect(try provider.snapshot().answer(for: "a", in: EvaluationContext())?.value == 3)
    second.cancel()
    subscription.cancel()
  }

  @Test("Meets the contract of every provider")
  func meetsContract() async throws {
    let provider = try InHouseProvider(data: Data(Self.document.utf8))
    var contract = ProviderContract(provider, present: ["a": 1], absent: "absent")
    contract.failing = ("broken", .parseError)
    contract.change = .init(to: ["a": 2]) {
      try provider.update(with: Data(Self.document.replacing(#""v": 1"#, with: #""v": 2"#).utf8))
    }
    try await contract.check()
  }

  private static let document =
    #"{"flags": {"a": {"state": "ENABLED", "variants": {"v": 1}, "defaultVariant": "v"}, "broken": 1}}"#
}

/// A clock that stands until it is set.
private final class Clock: Sendable {
  let seconds = Locked<Int64>(0)

  @Sendable func now() -> Int64 { seconds.withLock { $0 } }
}

extension FlagDocument {
  fileprivate init(_ text: String) throws { try self.init(parsing: Data(text.utf8)) }

  /// Creates a document of one flag, `flag`, with the variants `on` and `off` and this rule.
  fileprivate init(rule: String) throws {
    try self.init(
      """
      {"flags": {"flag": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
        "targeting": \(rule)}}}
      """)
  }
}
