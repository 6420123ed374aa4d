import FlagComposition
import FlagDomain
import Foundation
import Synchronization
import Testing

/// A provider that answers by a closure.
struct StubProvider: FlagProvider, ProviderSnapshot {
  var name = "stub"
  var textReader: TextReader?
  var answer: @Sendable (FlagKey, EvaluationContext) throws(FlagError) -> FlagAnswer?

  func snapshot() -> any ProviderSnapshot { self }

  func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
    try answer(key, context)
  }
}

/// A provider that says no to everything.
func failing(_ name: String, _ code: FlagError.Code = .general) -> StubProvider {
  StubProvider(name: name) { _, _ throws(FlagError) in throw FlagError(code, "out of order") }
}

/// A provider with a value for each user, `visitor` without one, that counts its queries.
final class PerUserProvider: FlagProvider, ProviderSnapshot {
  let name = "per user"
  let isPersonal = true
  private let state = Locked((questions: 0, users: [FlagUser?]()))

  var questions: Int { state.withLock { $0.questions } }
  var users: [FlagUser?] { state.withLock { $0.users } }

  func snapshot() -> any ProviderSnapshot { self }
  func setContext(_ context: EvaluationContext) { state.withLock { $0.users.append(context.user) } }

  func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? {
    state.withLock { $0.questions += 1 }
    return FlagAnswer(.string(context.user?.id ?? "visitor"), reason: .targetingMatch)
  }
}

/// Remembers what failed.
final class RecordingReporter: FlagErrorReporter {
  private let state = Locked<[FlagError]>([])
  var errors: [FlagError] { state.withLock { $0 } }
  func report(_ error: FlagError) { state.withLock { $0.append(error) } }
}

/// Gathers exposures.
final class GatheringTracker: ExposureTracker {
  let now: Int64 = 1000
  private let state = Locked<[Exposure]>([])

  func track(_ exposures: [Exposure]) { state.withLock { $0 += exposures } }
  func subscribe(_ onExpiry: @escaping @Sendable () -> Void) -> FlagSubscription { FlagSubscription {} }

  /// Returns the exposures since the last call.
  func take() -> [Exposure] {
    state.withLock { state in
      defer { state = [] }
      return state
    }
  }
}

/// A store in memory that can be made to fail.
final class RecordingStore: FlagOverrideStore {
  private let state: Locked<(stored: [FlagKey: FlagValue], error: FlagError?)>

  init(_ stored: [FlagKey: FlagValue] = [:], failing error: FlagError? = nil) { state = Locked((stored, error)) }

  var stored: [FlagKey: FlagValue] { state.withLock { $0.stored } }
  func fail(with error: FlagError?) { state.withLock { $0.error = error } }

  func load() throws(FlagError) -> [FlagKey: FlagValue] {
    try state.withLock { state throws(FlagError) in
      if let error = state.error { throw error }
      return state.stored
    }
  }

  func write(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
    try state.withLock { state throws(FlagError) in
      if let error = state.error { throw error }
      for (key, value) in values { state.stored[key] = value }
    }
  }
}

/// Creates a composition without catalogs.
func compose(
  reporter: (any FlagErrorReporter)? = nil, overrides: (any FlagOverrideStore)? = nil,
  @FlagProvidersBuilder _ providers: () -> [any FlagProvider]
) throws -> FeatureFlagClient {
  try FeatureFlagClient(
    catalogs: [],
    configuration: .init {
      $0.overrides = overrides
      $0.reporter = reporter
    }, providers: providers)
}

/// The state that the threads of a race share.
final class Race: Sendable {
  let begun = Atomic(0)
  let progress = Atomic(0)
  let isDone = Atomic(false)
}

/// Runs a closure on threads of their own, which all live until each of them has run it; that takes ten minutes at
/// most, or fails.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let (done, ended, end) = (DispatchGroup(), DispatchGroup(), DispatchSemaphore(value: 0))
  for number in 0..<count {
    done.enter()
    ended.enter()
    Thread.detachNewThread {
      body(number)
      done.leave()
      end.wait()
      ended.leave()
    }
  }
  #expect(done.wait(timeout: .now() + 600) == .success)
  for _ in 0..<count { end.signal() }
  #expect(ended.wait(timeout: .now() + 600) == .success)
}
