package import FlagDomain

/// A value that a test waits for to become another.
package final class Watched<Value: Sendable>: Sendable {
  private struct State: Sendable {
    var value: Value
    var waiters: [Int: (isMet: @Sendable (Value) -> Bool, waiter: CheckedContinuation<Void, Never>)] = [:]
    var nextID = 0
  }

  private let state: Locked<State>

  package init(_ value: Value) { state = Locked(State(value: value)) }

  package var value: Value { state.withLock { $0.value } }

  package func change(_ edit: @Sendable (inout Value) -> Void) {
    let met = state.withLock { state in
      edit(&state.value)
      let met = state.waiters.filter { [value = state.value] in $1.isMet(value) }
      for id in met.keys { state.waiters[id] = nil }
      return met.values.map(\.waiter)
    }
    for waiter in met { waiter.resume() }
  }

  /// Waits for a condition, or until the suite's limit of time is over.
  package func wait(until isMet: @escaping @Sendable (Value) -> Bool) async {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let isOver = state.withLock { state in
          if isMet(state.value) || Task.isCancelled { return true }
          state.waiters[id] = (isMet, waiter)
          return false
        }
        if isOver { waiter.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: id) }?.waiter.resume()
    }
  }
}

extension FlagProvider {
  /// Sets a context of a user alone.
  package func setUser(_ user: FlagUser?) { setContext(EvaluationContext(user: user)) }

  /// Waits until a condition holds, which is asked now and after every change.
  package func wait(until isMet: @escaping @Sendable (Self) -> Bool) async {
    let changes = Watched(0)
    let subscription = subscribe { _ in changes.change { $0 += 1 } }
    await changes.wait { _ in isMet(self) }
    subscription.cancel()
  }
}

extension FlagProvider {
  /// The provider's answer for a flag; for an error, its code.
  package func read(_ key: FlagKey, for user: FlagUser? = nil) -> Reading {
    do throws(FlagError) {
      let answer = try snapshot().answer(for: key, in: EvaluationContext(user: user))
      return Reading(value: answer?.value, why: answer.map { "\($0.reason)" } ?? "NONE")
    } catch {
      return Reading(value: nil, why: "\(error.code)")
    }
  }
}

/// A value, and the reason or the error.
package struct Reading: Hashable, Sendable {
  package var value: FlagValue?
  package var why: String

  package init(value: FlagValue?, why: String) {
    self.value = value
    self.why = why
  }

  package init(_ value: FlagValue, _ why: String) { self.init(value: value, why: why) }
}
