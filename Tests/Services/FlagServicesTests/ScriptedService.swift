import FlagDomain
import FlagMocks
import FlagServices

/// A service whose every answer a test gives by hand, in any order.
final class ScriptedService: RemoteFlagService {
  struct Request: Sendable {
    let user: FlagUser?
    fileprivate let continuation: AsyncStream<Result<RemoteAnswers, FlagError>>.Continuation

    func answer(with values: [FlagKey: FlagValue]) { answer(with: RemoteAnswers(values.mapValues { FlagAnswer($0) })) }

    func answer(with answers: RemoteAnswers) { continuation.yield(.success(answers)) }

    func fail(with error: FlagError) { continuation.yield(.failure(error)) }
  }

  let name = "scripted"
  private let users = Locked<[FlagUser?]>([])
  private let queue = AsyncStream.makeStream(of: Request.self)
  private let onUpdate = Locked<(@Sendable (RemoteUpdate) -> Void)?>(nil)

  /// For whom answers were asked, in order.
  var requests: [FlagUser?] { users.withLock { $0 } }

  /// Waits for the next request.
  func nextRequest() async -> Request {
    for await request in queue.stream { return request }
    preconditionFailure("the stream never ends")
  }

  /// Waits for its answer without heeding cancellation, as bad services do.
  func fetch(for user: FlagUser?) async throws(FlagError) -> RemoteAnswers {
    let (answers, continuation) = AsyncStream.makeStream(of: Result<RemoteAnswers, FlagError>.self)
    users.withLock { $0.append(user) }
    queue.continuation.yield(Request(user: user, continuation: continuation))
    return try await Task { () async -> Result<RemoteAnswers, FlagError> in
      for await answer in answers { return answer }
      return .failure(.outage)
    }.value.get()
  }

  func subscribe(_ onUpdate: @escaping @Sendable (RemoteUpdate) -> Void) -> FlagSubscription {
    self.onUpdate.withLock { $0 = onUpdate }
    return FlagSubscription {}
  }

  /// Tells the provider something unasked.
  func push(_ update: RemoteUpdate) { onUpdate.withLock { $0 }?(update) }
}
