import FlagDomain
import FlagTesting
import Synchronization
import Testing

@Suite("Provider contract")
struct ProviderContractTests {
  @Test("A provider that keeps to the contract passes")
  func passes() async throws { try await contract(of: FaultyProvider(nil)).check() }

  @Test("Each breach of the contract is an issue", arguments: FaultyProvider.Fault.allCases)
  func finds(fault: FaultyProvider.Fault) async {
    await withKnownIssue {
      try await contract(of: FaultyProvider(fault)).check()
    }
  }

  @Test("A change of a provider that does not say when it changes is an issue")
  func findsSilence() async {
    var contract = ProviderContract(SilentProvider(), present: [:], absent: "off")
    contract.change = .init(to: [:]) {}
    await withKnownIssue { [contract] in try await contract.check() }
  }

  private func contract(of provider: FaultyProvider) -> ProviderContract {
    var contract = ProviderContract(provider, present: ["on": true], absent: "off")
    contract.failing = ("broken", .parseError)
    contract.change = .init(to: ["on": false]) { provider.turnOff() }
    return contract
  }
}

/// A provider for one user at a time that breaks the contract in one way, or in none.
final class FaultyProvider: ChangingFlagProvider, UserAuthenticator {
  enum Fault: CaseIterable {
    case hasNoName, inventsAnswers, givesWrongValue, contradictsItself, answersInsteadOfFailing, failsWithWrongCode
    case saysNothing, changesSnapshots, notifiesTooEarly, notifiesNobody, keepsAnswersOfFormerUser, answersForAnyone
  }

  fileprivate struct State {
    var value: FlagValue = true
    var user: User?
    var reads = 0
  }

  private let fault: Fault?
  private let state = Mutex(State())
  private let subscriber = Mutex<(@Sendable (ChangedKeys) -> Void)?>(nil)

  init(_ fault: Fault?) { self.fault = fault }

  var name: String { fault == .hasNoName ? "" : "faulty" }

  func setUser(_ user: User?) {
    guard fault != .keepsAnswersOfFormerUser else { return }
    state.withLock { $0.user = user }
  }

  func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    subscriber.withLock { $0 = onChange }
    return FlagSubscription {}
  }

  func turnOff() {
    let onChange = subscriber.withLock { $0 }
    if fault == .notifiesTooEarly { onChange?(.some(["on"])) }
    state.withLock { $0.value = false }
    if fault != .notifiesTooEarly && fault != .notifiesNobody { onChange?(.some(["on"])) }
  }

  func snapshot() -> any ProviderSnapshot {
    Snapshot(fault: fault, state: state.withLock { $0 }) { [self] in
      state.withLock { state in
        state.reads += 1
        return state
      }
    }
  }

  private struct Snapshot: ProviderSnapshot {
    let fault: Fault?
    let state: State
    let current: @Sendable () -> State

    func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
      let current = current()
      guard context.user == state.user || fault == .answersForAnyone else { return nil }
      switch (key, fault) {
      case ("broken", .answersInsteadOfFailing): return FlagAnswer(true)
      case ("broken", .failsWithWrongCode): throw FlagError(.general, "expected something else")
      case ("broken", .saysNothing): throw FlagError(.parseError, "")
      case ("broken", _): throw FlagError(.parseError, "expected something else")
      case ("off", .inventsAnswers): return FlagAnswer(nil as FlagValue?)
      case ("on", .givesWrongValue): return FlagAnswer(1)
      case ("on", .contradictsItself): return FlagAnswer(.bool(current.reads % 3 == 0))
      case ("on", .changesSnapshots): return FlagAnswer(current.value)
      case ("on", _): return FlagAnswer(state.value)
      default: return nil
      }
    }
  }
}

private struct SilentProvider: FlagProvider, ProviderSnapshot {
  let name = "silent"

  func snapshot() -> any ProviderSnapshot { self }
  func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? { nil }
}
