import Foundation
import Synchronization

extension ChildProcess {
  #if os(macOS) || os(Linux)
    /// Starts a program, and returns its number.
    static func start(
      _ program: URL, _ arguments: [String], _ folder: URL?, _ environment: [String: String]?, _ input: Int32?,
      _ output: Int32, _ errors: Int32?
    ) throws -> pid_t {
      #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
      #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
      #endif
      posix_spawn_file_actions_init(&actions)
      posix_spawnattr_init(&attributes)
      defer {
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
      }
      if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
      posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
      if let errors { posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO) }
      // The thread that starts it may block signals; the program does not.
      var signals = sigset_t()
      sigemptyset(&signals)
      posix_spawnattr_setsigmask(&attributes, &signals)
      sigfillset(&signals)
      posix_spawnattr_setsigdefault(&attributes, &signals)
      // A group of its own, so that what it starts can be ended with it.
      posix_spawnattr_setpgroup(&attributes, 0)
      var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETPGROUP)
      #if canImport(Darwin)
        flags |= Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
        if input == nil { posix_spawn_file_actions_addinherit_np(&actions, STDIN_FILENO) }
        if errors == nil { posix_spawn_file_actions_addinherit_np(&actions, STDERR_FILENO) }
      #endif
      posix_spawnattr_setflags(&attributes, Int16(flags))
      var command = [program.path] + arguments
      if let folder { command = ["/bin/sh", "-c", #"cd -- "$0" && exec "$@""#, folder.path] + command }
      // The copies live until the system has read them, and are freed once.
      let words = command.map { strdup($0) } + [nil]
      let settings = (environment ?? ProcessInfo.processInfo.environment).map { strdup("\($0)=\($1)") } + [nil]
      defer { for text in words + settings { free(text) } }
      var id: pid_t = 0
      let code = Self.starting.withLock { _ in posix_spawn(&id, command[0], &actions, &attributes, words, settings) }
      guard code == 0 else { throw Failure(description: "\(program.path): \(String(cString: strerror(code)))") }
      return id
    }
  #else
    /// Fails: only computers let a program start another one.
    static func start(
      _ program: URL, _ arguments: [String], _ folder: URL?, _ environment: [String: String]?, _ input: Int32?,
      _ output: Int32, _ errors: Int32?
    ) throws -> pid_t {
      throw Failure(description: "\(program.path): expected a system on which programs start others, found none")
    }
  #endif
}
