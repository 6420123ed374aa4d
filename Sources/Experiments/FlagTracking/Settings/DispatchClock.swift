import Dispatch
import FlagDomain

/// A clock whose timers need no thread of the cooperative pool.
struct DispatchClock: Clock {
  var now: ContinuousClock.Instant { ContinuousClock.now }
  var minimumResolution: Duration { ContinuousClock().minimumResolution }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    let timer = Timer()
    let nanoseconds = min(max(0, (deadline - now) / .nanoseconds(1)), 0x1p62)
    await withTaskCancellationHandler {
      await withCheckedContinuation { timer.start(Int(clamping: Int64(nanoseconds)), $0) }
    } onCancel: {
      timer.end()
    }
    try Task.checkCancellation()
  }

  private final class Timer: Sendable {
    private struct State: Sendable {
      var waiter: CheckedContinuation<Void, Never>?
      var isOver = false
    }

    private let state = Locked(State())

    func start(_ nanoseconds: Int, _ waiter: CheckedContinuation<Void, Never>) {
      let isOver = state.withLock { state in
        if !state.isOver { state.waiter = waiter }
        return state.isOver
      }
      if isOver { return waiter.resume() }
      DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { self.end() }
    }

    func end() {
      let waiter = state.withLock { state in
        defer { state = State(isOver: true) }
        return state.waiter
      }
      waiter?.resume()
    }
  }
}
