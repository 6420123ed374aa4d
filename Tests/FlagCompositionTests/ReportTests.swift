import FlagComposition
import FlagDefinitions
import FlagDomain
import FlagProviders
import Foundation
import Testing

@Suite("Reports")
struct ReportTests {
  private let flag = Flag("reported", default: "", "")
  private let error = FlagError(.general, "out of order", key: "reported", provider: "broken")

  @Test("A resolution reports as a read does, and a failure is reported once for both")
  func reportsAlike() throws {
    for isReadFirst in [true, false] {
      let reporter = RecordingReporter()
      let flags = try compose(reporter: reporter) { failing("broken") }
      if isReadFirst { _ = flags.manager.variation(for: flag) }
      _ = flags.inspector.resolution(of: flag)
      _ = flags.manager.variation(for: flag)
      _ = flags.inspector.answers(for: flag)
      _ = flags.overrides.overrideState(of: flag)
      #expect(reporter.errors == [error])
    }
  }

  @Test("Asking for every provider's answer, or for the list of waiting flags, swallows no report")
  func swallowsNone() throws {
    let reporter = RecordingReporter()
    let flags = try compose(reporter: reporter) { failing("broken") }
    _ = flags.inspector.answers(for: flag)
    _ = flags.overrides.overrideState(of: flag)
    _ = flags.overrides.keysAwaitingRestart
    #expect(reporter.errors == [])
    _ = flags.manager.variation(for: flag)
    #expect(reporter.errors == [error])
  }

  @Test("A failure is not reported again after changes of something else, nor at each read of a request")
  func reportsOnce() throws {
    let reporter = RecordingReporter()
    let memory = InMemoryProvider()
    let flags = try compose(reporter: reporter) {
      failing("broken"); memory
    }
    for number in 0..<1_000 {
      memory.write(.int(Int128(number)), for: "unrelated")
      _ = flags.manager.variation(for: flag)
    }
    let request = flags.manager(for: FlagUser(id: "ann"))
    for _ in 0..<100 { _ = request.variation(for: flag) }
    #expect(reporter.errors == [error])
  }

  @Test("A failure of a provider's next snapshot is reported again")
  func reportsPerSnapshot() throws {
    let reporter = RecordingReporter()
    let memory = InMemoryProvider([flag.key: 1])
    let flags = try compose(reporter: reporter) { memory }
    _ = flags.manager.variation(for: flag)
    memory.write(2, for: flag.key)
    _ = flags.manager.variation(for: flag)
    #expect(reporter.errors.map(\.message) == ["expected String, found integer 1", "expected String, found integer 2"])
  }

  @Test("What is wrong with a document is reported when it comes into use, once")
  func reportsFindings() throws {
    let reporter = RecordingReporter()
    let broken = #"{"flags":{"bad":{"state":"ENABLED","variants":{},"defaultVariant":"on"}}}"#
    let provider = InHouseProvider(try FlagDocument(parsing: Data(broken.utf8)))
    let flags = try compose(reporter: reporter) { provider }
    let found = reporter.errors
    #expect(!found.isEmpty && found.allSatisfy { $0.provider == "in-house" && $0.message.contains("bad") })
    _ = flags.manager.variation(for: flag)
    #expect(reporter.errors == found)
    provider.update(with: try FlagDocument(parsing: Data(#"{"flags":{}}"#.utf8)))
    #expect(reporter.errors.dropLast() == found[...])
    #expect(reporter.errors.last?.message.hasPrefix("warning: the document has no flags, in place of ") == true)
  }

  @Test("What is reported of a file's document names the file")
  func namesFile() throws {
    let reporter = RecordingReporter()
    let file = FileManager.default.temporaryDirectory.appending(path: "flags-\(UUID().uuidString).json")
    try Data(#"{"flags": {"bad": 1}}"#.utf8).write(to: file)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
    let provider = try InHouseProvider(contentsOf: file)
    _ = try compose(reporter: reporter) { provider }
    let start = "\(file.path):1:19: error: $.flags.bad: "
    #expect(reporter.errors.count { $0.message.hasPrefix(start) } == 1)
  }
}
