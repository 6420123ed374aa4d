import Dispatch
import FlagFoundation
import FlagSupport

extension Terminal {
  /// The files, standard streams and clock of this process.
  package static let standard: Terminal = {
    var terminal = streams
    // If no shell has set the user's name, as in a container, the system provides it.
    terminal.environment = ["USER": userName].merging(ProcessInfo.processInfo.environment) { $1 }
    terminal.settings = FileManager.default.fileExists(atPath: ".flagctl.json") ? ".flagctl.json" : nil
    terminal.hostName = hostName ?? terminal.hostName
    terminal.isInteractive = { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }
    terminal.onReload = { reload($0) }
    terminal.save = { data, path in try data.write(to: URL(filePath: path), options: .atomic) }
    return terminal
  }()

  private static let streams = Terminal(
    file: { path in try Descriptor.reading(path).contents() },
    open: { path in
      let input = try Descriptor.reading(path ?? "-")
      return { try input.nextPiece() }
    },
    write: { text in try Descriptor.standardOutput.write(text) },
    writeError: { text in
      do { try Descriptor.standardError.write(text) } catch { /* Nothing else can report the error. */  }
    },
    now: { Int64(Date().timeIntervalSince1970) },
    waitForStop: { waitForSignal() })

  /// The name of the user who runs this process; their number if they have none.
  private static var userName: String {
    guard let name = unsafe getpwuid(geteuid())?.pointee.pw_name else { return "\(geteuid())" }
    return unsafe String(cString: name)
  }

  /// The system's own host name; reading it does not wait for the network.
  private static var hostName: String? {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return nil }
    let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }

  /// Waits for a signal that ends the process: SIGTERM, or an interrupt from the keyboard.
  private static func waitForSignal() {
    let isTold = DispatchSemaphore(value: 0)
    let sources = [SIGTERM, SIGINT].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { isTold.signal() }
      source.resume()
      return source
    }
    isTold.wait()
    for source in sources { source.cancel() }
  }

  /// Calls a closure for each SIGHUP from now on, which would end the process otherwise.
  private static func reload(_ body: @escaping @Sendable () -> Void) {
    signal(SIGHUP, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGHUP)
    // The handler keeps its source for as long as the process runs.
    source.setEventHandler { withExtendedLifetime(source) { body() } }
    source.resume()
  }

  /// Raises the limit of file descriptors to the maximum that the system allows, one for each connection.
  static func raiseDescriptorLimit() {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < 8192 else { return }
    limit.rlim_cur = min(limit.rlim_max, 8192)
    // If the system refuses, there are fewer connections, and the server rejects further ones.
    _ = unsafe setrlimit(resource, &limit)
  }

  /// Makes writes to a broken pipe fail instead of ending the process, and keeps files from reusing the descriptors of
  /// closed standard streams.
  static func prepareStandardStreams() {
    signal(SIGPIPE, SIG_IGN)
    for (number, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
    where fcntl(number, F_GETFD) == -1 {
      // The lowest free descriptor is this one. It is opened for the wrong direction, so that using it is still an
      // error.
      _ = unsafe open("/dev/null", mode)
    }
  }
}

private final class Descriptor: Sendable {
  private let number: Int32
  private let isOwned: Bool

  private init(_ number: Int32, isOwned: Bool) {
    self.number = number
    self.isOwned = isOwned
  }

  convenience init(reading path: String) throws {
    let number = SystemPath.descriptor(of: path, O_RDONLY)
    guard number >= 0 else { throw SystemError() }
    self.init(number, isOwned: true)
  }

  deinit { if isOwned { close(number) } }

  /// Returns a file that is opened, or standard input for a dash.
  static func reading(_ path: String) throws -> Descriptor {
    path == "-" ? .standardInput : try Descriptor(reading: path)
  }

  static let standardInput = Descriptor(STDIN_FILENO, isOwned: false)
  static let standardOutput = Descriptor(STDOUT_FILENO, isOwned: false)
  static let standardError = Descriptor(STDERR_FILENO, isOwned: false)

  /// The maximum size of a document in bytes; a device such as `/dev/zero` has no end.
  private static let maximumContents = 1 << 28

  /// Returns the available bytes, waiting until there are some; nil at the end.
  ///
  /// Foundation's own methods wait until the requested count is complete, and would delay the lines of a slow writer.
  func nextPiece() throws -> Data? {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = try retrying(once: POLLIN) { unsafe read(number, &bytes, bytes.count) }
    return count == 0 ? nil : Data(bytes.prefix(count))
  }

  func contents() throws -> Data {
    var contents = Data()
    while let piece = try nextPiece() {
      contents += piece
      guard contents.count <= Self.maximumContents else { throw TooLong(maximum: Self.maximumContents) }
    }
    return contents
  }

  func write(_ text: String) throws {
    var rest = ArraySlice(text.utf8)
    while !rest.isEmpty {
      let count = try unsafe rest.withUnsafeBytes { bytes in
        try retrying(once: POLLOUT) { unsafe FlagSupport.write(number, bytes.baseAddress, bytes.count) }
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Retries a system call after an interrupt, or when a nonblocking descriptor is ready.
  private func retrying(once event: Int32, _ call: () -> Int) throws -> Int {
    while true {
      let count = call()
      if count >= 0 { return count }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var wanted = pollfd(fd: number, events: Int16(event), revents: 0)
        unsafe poll(&wanted, 1, -1)
      default: throw SystemError()
      }
    }
  }
}

private struct TooLong: LocalizedError {
  let maximum: Int

  var errorDescription: String? { "it has more than \(maximum) bytes" }
}
