import Dispatch
import FlagDomain
package import FlagFoundation
import FlagSupport

/// Passes a file's content to a closure, and each new content, until it is closed or released.
///
/// It asks for the file's metadata once a second, and reads the file if they have changed, whatever changed them: an
/// edit in place, another file in its place, a link or a directory on its path that leads elsewhere, a file system that
/// is mounted there, another computer. No descriptor is open, and no thread runs, between two looks.
///
/// Of several edits between two looks, the last one is delivered; the same content, or the same error, is not delivered
/// twice in a row.
package final class FileFollower: Sendable {
  private let polling: Duration
  private let system: FollowerSystem
  private let look: @Sendable () -> Void
  private let isClosed = Locked(false)
  private let queue = DispatchQueue(label: "flag file", target: .global())
  private let onQueue = DispatchSpecificKey<Bool>()

  /// Starts to follow a file, and delivers its content before it returns.
  ///
  /// The first calls of the closures are on the caller's thread; all others are on a queue of the follower's own, one
  /// at a time, with no lock held. The content of a file that is written in place may be partial, or empty, if a look
  /// falls into the write; it is delivered again at the next look.
  ///
  /// The first content's error is reported at once, and a later one's at the next look, if the content is still the
  /// same: a slow write is one error or none. An app in the background does not look at files.
  ///
  /// - Parameters:
  ///   - file: The file, which need not exist.
  ///   - known: The content that the caller has read already, which is not delivered again.
  ///   - polling: The time between two looks at the file, a millisecond at least.
  ///   - system: The schedule of looks, and the state of the app.
  ///   - onContent: Receives the file's bytes, or the reason why they are unavailable; throws an error if it cannot use
  ///     them.
  ///   - onError: Receives the error of a content that has stayed.
  package init<Failure: Error>(
    _ file: SharedFile, known: Data? = nil, polling: Duration = .seconds(1), system: FollowerSystem = .standard,
    onContent: @escaping @Sendable (Result<Data, FileError>) throws(Failure) -> Void,
    onError: @escaping @Sendable (Failure) -> Void
  ) {
    let content = FollowedContent(file, known: known, onContent: onContent, onError: onError)
    look = { content.look() }
    self.polling = max(polling, .milliseconds(1))
    self.system = system
    queue.setSpecific(key: onQueue, value: true)
    queue.sync {
      look()
      content.reportError()
    }
    scheduleLook()
  }

  /// Starts to follow a file whose every content can be used, see the initializer above.
  package convenience init(
    _ file: SharedFile, known: Data? = nil, polling: Duration = .seconds(1), system: FollowerSystem = .standard,
    onContent: @escaping @Sendable (Result<Data, FileError>) -> Void
  ) {
    self.init(file, known: known, polling: polling, system: system, onContent: onContent, onError: { (_: Never) in })
  }

  /// Stops following: when this returns, no closure is running, and none will be called again.
  ///
  /// Called by a closure itself, it ends the calls after this one. The closures must not wait for another thread that
  /// closes its follower.
  package func close() {
    isClosed.withLock { $0 = true }
    if DispatchQueue.getSpecific(key: onQueue) == nil { queue.sync {} }
  }

  private func scheduleLook() {
    system.schedule(polling, queue) { [weak self] in
      guard let self, !isClosed.withLock({ $0 }) else { return }
      if !system.isInBackground() { look() }
      scheduleLook()
    }
  }
}

/// The dependencies of a follower on the system: a schedule, and the state of the app.
package struct FollowerSystem: Sendable {
  /// Runs work on a queue after a delay, to which Dispatch may add a tenth, so that timers of a device fire together.
  var schedule: @Sendable (Duration, DispatchQueue, @escaping @Sendable () -> Void) -> Void = { delay, queue, work in
    queue.asyncAfter(deadline: .now() + delay / .seconds(1), execute: work)
  }
  /// Returns whether the app is in the background.
  var isInBackground = Self.isAppInBackground

  package static let standard = FollowerSystem()
}

/// The last content of a file that was delivered, and its error.
private final class FollowedContent<Failure: Error>: Sendable {
  private struct State {
    /// The stamp at the last look; nil if the file had none, or before the first look.
    var stamp: FileStamp??
    /// The number of reads to come although the stamp is the same.
    var rereads = 0
    var last: Result<Data, FileError>?
    /// The error of the last content, until it is reported.
    var error: Failure?

    /// Records a stamp, and returns whether the file is to be read.
    mutating func needsReading(at new: FileStamp?) -> Bool {
      if stamp != .some(new) {
        // Some file systems count time in steps of two seconds, in which two edits have one stamp.
        (stamp, rereads) = (new, 2)
        return true
      }
      if rereads > 0 {
        rereads -= 1
        return true
      }
      // What kept the file from being read may end without a new stamp, as the protection of a locked device does.
      return if case .failure(let error) = last, case .system = error.reason { true } else { false }
    }
  }

  private let file: SharedFile
  private let state: Locked<State>
  private let onContent: @Sendable (Result<Data, FileError>) throws(Failure) -> Void
  private let onError: @Sendable (Failure) -> Void

  init(
    _ file: SharedFile, known: Data?, onContent: @escaping @Sendable (Result<Data, FileError>) throws(Failure) -> Void,
    onError: @escaping @Sendable (Failure) -> Void
  ) {
    self.file = file
    state = Locked(State(last: known.map { .success($0) }))
    self.onContent = onContent
    self.onError = onError
  }

  /// Delivers the file's content if it is new, or else reports its error; the follower makes one call at a time.
  func look() {
    let stamp = FileStamp(path: file.path)
    guard state.withLock({ $0.needsReading(at: stamp) }) else { return reportError() }
    let content = Result { () throws(FileError) in try file.read() }
    let isNew = state.withLock { state in
      defer { state.last = content }
      return state.last != content
    }
    guard isNew else { return reportError() }
    do throws(Failure) {
      try onContent(content)
      state.withLock { $0.error = nil }
    } catch {
      state.withLock { $0.error = error }
    }
  }

  func reportError() {
    let error = state.withLock { state in
      defer { state.error = nil }
      return state.error
    }
    if let error { onError(error) }
  }
}
