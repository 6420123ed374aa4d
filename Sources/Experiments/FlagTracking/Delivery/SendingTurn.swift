import FlagDomain
import FlagFiles
import FlagSupport

/// The exclusive right to send a queue's batches, among the processes that share it.
///
/// It ends when all batches are sent, or when the app is about to be suspended: then the lock is released at once, and
/// the upload is cancelled. A batch whose upload was cancelled stays in the queue, and is sent again with its id.
final class SendingTurn: Sendable {
  private struct State: Sendable {
    var lock: FileLock?
    var upload: Task<SinkOutcome, Never>?
    var isOver = false
  }

  private let state = Locked(State())
  private let executor: DeliveryExecutor

  /// Creates a turn whose uploads run on an executor.
  init(executor: DeliveryExecutor) { self.executor = executor }

  /// Begins the turn unless another process or tracker holds the lock, which is nil then; returns whether it has begun.
  func begin(_ takeLock: () throws(FlagError) -> FileLock?) throws(FlagError) -> Bool {
    // The turn alone retains the lock, so that both end together.
    let lock = try takeLock()
    return state.withLock { state in
      guard !state.isOver else { return false }
      state.lock = lock
      return lock != nil
    }
  }

  var isOver: Bool { state.withLock { $0.isOver } }

  /// Runs an upload that is cancelled when the turn ends; returns nil if the turn had already ended.
  func upload(_ send: @escaping @Sendable () async -> SinkOutcome) async -> SinkOutcome? {
    let upload: Task<SinkOutcome, Never>? = state.withLock { state in
      guard !state.isOver else { return nil }
      let upload = Task(executorPreference: executor) { [executor] in
        await PreferredExecutor.$current.withValue(executor) { await send() }
      }
      state.upload = upload
      return upload
    }
    return await upload?.value
  }

  /// Runs a closure unless the turn has ended; the turn cannot end while the closure runs.
  func run(_ body: () throws(FlagError) -> Void) throws(FlagError) {
    try state.withLock { state throws(FlagError) in if !state.isOver { try body() } }
  }

  /// Ends the turn: releases the lock, and cancels the upload.
  func end() {
    let (lock, upload) = state.withLock { state in
      defer { state = State(isOver: true) }
      return (state.lock, state.upload)
    }
    _ = consume lock
    upload?.cancel()
  }
}
