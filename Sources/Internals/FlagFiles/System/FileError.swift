import FlagSupport

/// The reason why a file could not be read, written or locked.
package struct FileError: Error, Hashable, Sendable {
  package enum Operation: Sendable { case read, write, lock }

  package enum Reason: Error, Hashable {
    /// An error of the system, with its `errno` code.
    case system(Int32)
    /// A pipe, a socket or a device.
    case special
    case tooLarge(limit: Int)
    /// Other holders have kept the lock for all this time.
    case timedOut(Duration)
    /// Its mode lets nobody write it.
    case readOnly
    /// The system is about to suspend the app, which must not hold a lock then.
    case suspended

    /// There is no such file; for a write, no such directory.
    package static let missing = Reason.system(ENOENT)
    package static let directory = Reason.system(EISDIR)

    fileprivate var code: Int32 { if case .system(let code) = self { code } else { 0 } }
  }

  package let operation: Operation
  package let path: String
  package let reason: Reason

  package init(_ operation: Operation, _ path: String, _ reason: Reason) {
    self.operation = operation
    self.path = path
    self.reason = reason
  }

  /// Returns the result of a system call; an interrupted call is repeated, and -1 is thrown as an error.
  @discardableResult
  package static func check<Result: BinaryInteger>(_ call: () -> Result) throws(Reason) -> Result {
    while true {
      let result = call()
      if result != -1 { return result }
      let code = errno
      if code != EINTR { throw .system(code) }
    }
  }
}

extension FileError: CustomStringConvertible {
  /// The path, the expectation and the finding.
  package var description: String { "\(path): \(message)" }

  /// The expectation and the finding, without the path.
  package var message: String { "expected a file that can be \(participle): \(found)" }

  private var participle: String {
    switch operation {
    case .read: "read"
    case .write: "written"
    case .lock: "locked"
    }
  }

  private var found: String {
    switch (reason, operation) {
    case (.missing, .write), (.missing, .lock): "its directory does not exist"
    case (.missing, _): "it does not exist"
    case (.directory, _): "it is a directory"
    case (.special, _): "it is a pipe, a socket or a device"
    case (.tooLarge(let limit), .write): "it would have more than \(limit) bytes"
    case (.tooLarge(let limit), _): "it has more than \(limit) bytes"
    case (.timedOut(let time), _): "timeout: others have held its lock for \(time)"
    case (.readOnly, _): "it is read-only"
    case (.system(EACCES), .lock), (.system(EPERM), .lock):
      "its directory cannot be written (\(SystemError(code: reason.code)))"
    case (.system(EROFS), .lock):
      "its directory cannot be written (\(SystemError(code: EROFS))); mount a directory, not the file alone"
    case (.suspended, _): "the system is suspending the app, which may hold no lock then; try again later"
    case (.system(let code), _): SystemError(code: code).description
    }
  }
}
