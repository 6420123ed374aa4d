import FlagComposition
import FlagDomain
import FlagProviders
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Files that several programs write while they are killed", .timeLimit(.minutes(30)))
final class KilledWriterTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "killed-writers-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("{}".utf8).write(to: folder.appending(path: "values.json"))
  }

  deinit { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }

  #if compiler(>=6.3) && (os(macOS) || os(Linux))
    @Test("No update is lost, no file broken, and who follows them ends with what is written")
    func survives() async throws {
      let rounds = Effort.rounds(3, long: 200)
      let own = try Writer("own", in: folder)
      var written = ["a": Writer.Counts(), "b": Writer.Counts()]
      for round in 1...rounds {
        await withTaskGroup { group in
          for name in ["a", "b"] {
            group.addTask { [path = folder.path] in
              await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, name = name as String, round = round as Int] in
                limitThisProcess()
                let writer = try Writer(name, in: URL(filePath: path))
                try writer.writeUntilKilled(after: (round &* 48_271 &+ name.utf8.count) % 40)
              }
            }
          }
          // This process writes meanwhile, too.
          await #expect(throws: Never.self) {
            try await onThread {
              for _ in 0..<20 { try own.write() }
            }
          }
        }
        let overrides = try FileOverrideStore(folder.appending(path: "overrides.json")).load()
        let values = try JSONFileProvider(contentsOf: folder.appending(path: "values.json"))
        for (name, before) in written {
          let flag = Writer.flag(name)
          let noted = try before.adding(Writer.Counts(notedBy: name, in: folder))
          let found = Writer.Counts(
            overrides: try overrides[flag.key]?.decode(as: Int.self) ?? 0,
            values: try values.snapshot().answer(for: flag.key, in: EvaluationContext())?.value?.decode(as: Int.self)
              ?? 0
          )
          // The last write may be done, and not yet noted.
          #expect((noted.overrides...noted.overrides + 1).contains(found.overrides), "\(name): \(noted), \(found)")
          #expect((noted.values...noted.values + 1).contains(found.values), "\(name): \(noted), \(found)")
          written[name] = found
          for await value in own.flags.observer.values(of: flag) where value == found.overrides { break }
        }
        #expect(own.flags.overrides.overrides == overrides)
        #expect(own.errors.errors == [])
      }
      try own.write()
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
          .filter { !$0.hasPrefix("noted") }.sorted()
          == ["overrides.json", "values.json"])
    }
  #endif
}

/// A program that counts in a file of overrides and in one of values.
private struct Writer: Sendable {
  let name: String
  let folder: URL
  let errors = RecordingReporter()
  let flags: FeatureFlagClient
  private let values: JSONFileProvider

  init(_ name: String, in folder: URL) throws {
    self.name = name
    self.folder = folder
    let polling = Duration.milliseconds(5)
    let values = try JSONFileProvider(following: folder.appending(path: "values.json"), polling: polling) { [errors] in
      errors.report($0)
    }
    self.values = values
    flags = try compose(
      reporter: errors, overrides: FileOverrideStore(folder.appending(path: "overrides.json"), polling: polling)
    ) { values }
  }

  static func flag(_ name: String) -> Flag<Int> {
    FlagKey(validating: "\(name).count").map { Flag($0, default: 0, "") } ?? Flag("never", default: 0, "")
  }

  /// The written values, or the record of them.
  struct Counts {
    var overrides = 0
    var values = 0

    func adding(_ other: Counts) -> Counts {
      Counts(overrides: overrides + other.overrides, values: values + other.values)
    }
  }

  /// Counts up in both files, and notes each write that has returned.
  func write() throws {
    let flag = Self.flag(name)
    let override = (try flags.overrides.overrides[flag.key]?.decode(as: Int.self) ?? 0) + 1
    try flags.overrides.override(flag, with: override)
    #expect(flags.manager.variation(for: flag) == override)
    try note("o")
    let value = try values.snapshot().answer(for: flag.key, in: EvaluationContext())?.value?.decode(as: Int.self) ?? 0
    try flags.writer.write(value + 1, for: flag)
    try note("v")
  }

  /// Writes, and is killed in the middle of it some time after a number of writes.
  func writeUntilKilled(after count: Int) throws {
    let written = Race()
    Thread.detachNewThread {
      while written.progress.load(ordering: .relaxed) < count + 1 {}
      kill(getpid(), SIGKILL)
    }
    while true {
      try write()
      written.progress.add(1, ordering: .relaxed)
    }
  }

  private func note(_ kind: String) throws {
    let file = folder.appending(path: "noted-\(name)").path
    let number = open(file, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    #expect(number >= 0 && Foundation.write(number, kind, 1) == 1)
    close(number)
  }
}

extension Writer.Counts {
  /// Takes what a writer has noted since the last time.
  init(notedBy name: String, in folder: URL) throws {
    let file = folder.appending(path: "noted-\(name)")
    let noted = try String(contentsOf: file, encoding: .utf8)
    self.init(overrides: noted.count { $0 == "o" }, values: noted.count { $0 == "v" })
    try FileManager.default.removeItem(at: file)
  }
}
