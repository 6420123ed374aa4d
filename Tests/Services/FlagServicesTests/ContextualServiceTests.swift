import FlagDomain
import FlagServices
import TestSupport
import Testing

@Suite("A service that receives the whole context", .timeLimit(.minutes(15)))
struct ContextualServiceTests {
  /// A service whose answer for each flag is its context's targeting key and version.
  private struct Service: ContextualFlagService {
    let name = "contextual"

    func fetch(in context: EvaluationContext) -> RemoteAnswers {
      let version = context["version"].map { "\($0)" } ?? "none"
      return RemoteAnswers(["flag": FlagAnswer(.string("\(context.targetingKey ?? "none") \(version)"))])
    }

    func subscribe(_ onUpdate: @escaping @Sendable (RemoteUpdate) -> Void) -> FlagSubscription { FlagSubscription {} }
  }

  @Test("Visitors' ids and attributes are part of each fetch, and a change of one fetches again")
  func fetchesInContext() async throws {
    let provider = RemoteProvider(Service())
    try await waitForValue("none none", of: provider)
    provider.setContext(EvaluationContext(anonymousID: "visitor"))
    try await waitForValue("visitor none", of: provider)
    provider.updateAttributes(["version": 7], removing: [])
    try await waitForValue("visitor 7", of: provider)
    let ann = FlagUser(id: "ann")
    provider.setUser(ann)
    try await waitForValue("ann 7", of: provider, for: ann)
    #expect(try await Service().fetch(for: ann).answer(for: "flag", in: EvaluationContext())?.value == "ann none")
    #expect(throws: FlagError.self) { try provider.snapshot().answer(for: "flag", in: EvaluationContext()) }
  }

  @Test("Signing in and changing attributes at once loses neither")
  func changesContextAtOnce() async throws {
    let provider = RemoteProvider(Service())
    await withTaskGroup { group in
      group.addTask { for number in 1...200 { provider.setUser(FlagUser(id: "\(number)")) } }
      group.addTask { for number in 1...200 { provider.updateAttributes(["version": .int(Int128(number))]) } }
    }
    try await waitForValue("200 200", of: provider, for: FlagUser(id: "200"))
  }

  private func waitForValue(_ value: FlagValue, of provider: RemoteProvider, for user: FlagUser? = nil) async throws {
    for await _ in provider.changes() where provider.snapshot().value(of: "flag", for: user) == value { return }
  }
}

extension RemoteProvider {
  /// The provider's changes, the current state first.
  fileprivate func changes() -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let subscription = subscribe { _ in continuation.yield() }
      continuation.onTermination = { _ in subscription.cancel() }
      continuation.yield()
    }
  }
}
