import FlagCLI
import Foundation
import Synchronization
import TestSupport

/// The tool as it serves, in this process, on files of its own.
final class RunningServer: Sendable {
  let folder: URL
  let url: URL
  private let stop: DispatchSemaphore
  private let ended: Task<Int32, Never>
  private let record: Record

  struct Failure: Error, CustomStringConvertible { let description: String }

  /// Starts the tool, and waits for its address.
  ///
  /// - Parameters:
  ///   - files: The files that there are, in a folder of their own.
  ///   - words: The words after the command.
  ///   - prepare: Gives the terminal what it has beside files and streams.
  /// - Throws: Where the tool does not serve.
  init(
    _ files: [String: String], _ words: [String], prepare: (inout Terminal) -> Void = { _ in }
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "serve-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
    let stop = DispatchSemaphore(value: 0)
    let record = Record()
    var terminal = Terminal(
      file: { try Data(contentsOf: URL(filePath: $0)) }, open: { _ in { nil } },
      write: { record.write($0, isError: false) }, writeError: { record.write($0, isError: true) }, now: { 0 },
      waitForStop: { stop.wait() })
    terminal.polling = .milliseconds(5)
    prepare(&terminal)
    let prepared = terminal
    let words = ["serve"] + words.map { files[$0] == nil ? $0 : folder.appending(path: $0).path } + ["--port", "0"]
    ended = Task {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          let code = FlagTool(terminal: prepared).run(words)
          record.end()
          continuation.resume(returning: code)
        }
      }
    }
    let text = await record.output { $0.contains("\n") }
    guard let line = text.split(separator: "\n").first, let url = URL(string: String(line)) else {
      throw Failure(description: "\(text) \(record.errors)")
    }
    self.folder = folder
    self.stop = stop
    self.record = record
    self.url = url
  }

  deinit {
    stop.signal()
    // The folder is in the system's own for what is temporary: what cannot be removed does no harm.
    do { try FileManager.default.removeItem(at: folder) } catch {}
  }
}

extension RunningServer {
  var port: Int { url.port ?? 0 }

  /// Its standard error.
  var errors: String { record.errors }

  /// Writes a file in one step.
  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: folder.appending(path: name), options: .atomic)
  }

  /// Waits until its output is as expected, or it has ended, and returns the output.
  func output(where isExpected: @escaping @Sendable (String) -> Bool) async -> String {
    await record.output(where: isExpected)
  }

  /// Waits until what it wrote to standard error is as expected.
  func errors(where isExpected: @escaping @Sendable (String) -> Bool) async -> String {
    await record.errors(where: isExpected)
  }

  /// Tells it to end, and returns its exit code.
  func end() async -> Int32 {
    stop.signal()
    return await ended.value
  }

  /// Runs curl in the folder, and returns what it wrote; URL is the server's.
  func shell(_ script: String) async throws -> String {
    let bash = try InstalledProgram.require("bash").path
    return try await Self.run(
      bash, ["-c", script], in: folder, environment: ["URL": "\(url)", "PATH": InstalledProgram.path])
  }

  /// Runs a program, and returns what it wrote, what was wrong last.
  static func run(
    _ program: String, _ words: [String], in folder: URL, input: String = "", environment: [String: String] = [:]
  ) async throws -> String {
    try await onThread {
      let run = try ChildProcess.run(
        URL(filePath: program), words, in: folder,
        environment: ProcessInfo.processInfo.environment.merging(environment) { $1 }, input: input)
      return run.output + run.errors
    }
  }
}

/// The tool's output, and the tasks that wait for it.
private final class Record: Sendable {
  private struct State {
    var output = ""
    var errors = ""
    var isOver = false
    var waiters: [@Sendable (State) -> Bool] = []
  }

  private let state = Mutex(State())

  func write(_ text: String, isError: Bool) {
    change { state in
      if isError { state.errors += text } else { state.output += text }
    }
  }

  func end() { change { $0.isOver = true } }

  var errors: String { state.withLock { $0.errors } }

  func output(where isExpected: @escaping @Sendable (String) -> Bool) async -> String {
    await wait(\.output, isExpected)
  }

  func errors(where isExpected: @escaping @Sendable (String) -> Bool) async -> String {
    await wait(\.errors, isExpected)
  }

  private func wait(
    _ text: any KeyPath<State, String> & Sendable, _ isExpected: @escaping @Sendable (String) -> Bool
  ) async -> String {
    await withCheckedContinuation { continuation in
      change { state in
        state.waiters.append { state in
          guard state.isOver || isExpected(state[keyPath: text]) else { return false }
          continuation.resume(returning: state[keyPath: text])
          return true
        }
      }
    }
  }

  private func change(_ change: (inout State) -> Void) {
    state.withLock { state in
      change(&state)
      let now = state
      state.waiters.removeAll { $0(now) }
    }
  }
}
