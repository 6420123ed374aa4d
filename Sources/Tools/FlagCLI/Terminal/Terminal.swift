import Dispatch
import FlagDefinitions
import FlagDomain
package import FlagFoundation
package import FlagPublishing
import FlagSupport

/// The environment of the tool: files, standard input and output, the time, and the stores of fleets.
package struct Terminal: Sendable {
  private let file: @Sendable (String) throws -> Data
  private let open: @Sendable (String?) throws -> () throws -> Data?
  private let write: @Sendable (String) throws -> Void
  private let writeError: @Sendable (String) -> Void
  /// The clock, which returns the time in seconds since the beginning of 1970 in UTC.
  let now: @Sendable () -> Int64
  /// The closure that returns when the process is requested to end, as by a signal.
  let waitForStop: @Sendable () -> Void
  /// The environment variables.
  package var environment: [String: String] = [:]
  /// The path of the file of settings; nil if there is none.
  package var settings: String?
  /// Whether the person who runs the command named the cluster, which may have their password then.
  var trustsCluster = true
  /// The name of the machine.
  package var hostName = "localhost"
  /// The closure that returns whether a person reads standard error and writes standard input; false by default.
  package var isInteractive: @Sendable () -> Bool = { false }
  /// The closure that writes a file atomically; throws by default.
  package var save: @Sendable (Data, String) throws -> Void = { _, _ in throw SystemError(code: EACCES) }
  /// The closure that opens the store of a set of published definitions, or throws if it cannot.
  package var connect: @Sendable (FleetAddress) throws -> any MaintainedDefinitionStore = FleetAddress.connect

  /// The time between two looks at a file that is followed.
  package var polling = Duration.seconds(1)

  /// The closure that calls another one whenever the process is requested to reload; by default it never is.
  package var onReload: @Sendable (@escaping @Sendable () -> Void) -> Void = { _ in }

  /// Waits for a time.
  package var pause: @Sendable (Duration) async -> Void = { time in
    // It is never cancelled: nothing but its end follows.
    do { try await ContinuousClock().sleep(for: time) } catch {}
  }

  /// Creates a terminal.
  ///
  /// - Parameters:
  ///   - file: Returns the contents of a file, or throws if it cannot be read.
  ///   - open: Opens a file, or standard input for nil. Each call of the result returns the next chunk, and nil at the
  ///     end.
  ///   - write: Writes text to standard output, or throws if it cannot; the tool then ends.
  ///   - writeError: Writes text to standard error; text that cannot be written is lost.
  ///   - now: Returns the time in seconds since the beginning of 1970 in UTC.
  ///   - waitForStop: Returns when the process is requested to end a long-running command, such as serving.
  package init(
    file: @escaping @Sendable (String) throws -> Data, open: @escaping @Sendable (String?) throws -> () throws -> Data?,
    write: @escaping @Sendable (String) throws -> Void, writeError: @escaping @Sendable (String) -> Void,
    now: @escaping @Sendable () -> Int64, waitForStop: @escaping @Sendable () -> Void = {}
  ) {
    self.file = file
    self.open = open
    self.write = write
    self.writeError = writeError
    self.now = now
    self.waitForStop = waitForStop
  }

  /// Prints text for people: characters that nobody sees, or that change how others look, are escaped.
  func print(_ text: String) throws(ToolError) { try printContent(text.escapingHidden(except: ["\n"])) }

  /// Prints a document or data as they are.
  func printContent(_ text: String) throws(ToolError) {
    do { try write(text) } catch { throw .output(error) }
  }

  func print(_ error: ToolError) { for line in error.lines { printError(line) } }

  func printError(_ line: String) { writeError([line].text) }

  func contents(of path: String) throws(ToolError) -> Data {
    return try mapError(try file(path), ToolError.input(path: path))
  }

  func save(_ data: Data, to path: String) throws(ToolError) {
    do { try save(data, path) } catch { throw .file(path: path, error) }
  }

  /// Asks a person whether to proceed, and returns whether the answer is yes.
  func ask(_ question: String) throws(ToolError) -> Bool {
    writeError("\(question.escapingHidden()) [y/N] ")
    var line: [UInt8] = []
    let next = try pieces(of: nil)
    while !line.contains(UInt8(ascii: "\n")), let piece = try next() { line += piece }
    let answer = String(decoding: line.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return ["y", "yes"].contains(answer.trimmingSpaces.lowercased())
  }

  /// Blocks the calling thread until an asynchronous function returns.
  func wait(until body: @escaping @Sendable () async -> Void) {
    let isOver = DispatchSemaphore(value: 0)
    Task {
      await body()
      isOver.signal()
    }
    isOver.wait()
  }

  /// Blocks the calling thread until a store of definitions has answered, and returns its answer.
  func wait<Answer: Sendable>(
    for ask: @escaping @Sendable () async throws(DefinitionStoreError) -> Answer
  ) throws(DefinitionStoreError) -> Answer {
    let answer = Locked<Result<Answer, DefinitionStoreError>?>(nil)
    wait {
      do throws(DefinitionStoreError) {
        let value = try await ask()
        answer.withLock { $0 = .success(value) }
      } catch {
        answer.withLock { $0 = .failure(error) }
      }
    }
    guard let answer = answer.withLock({ $0 }) else {
      preconditionFailure("the task stores its answer before it signals")
    }
    return try answer.get()
  }

  /// Opens a file, or standard input for nil; each call of the result returns the next chunk.
  func pieces(of path: String?) throws(ToolError) -> () throws(ToolError) -> Data? {
    let next = try mapError(try open(path), ToolError.input(path: path))
    return { () throws(ToolError) in try mapError(try next(), ToolError.input(path: path)) }
  }
}
