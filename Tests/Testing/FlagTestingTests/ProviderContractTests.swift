import FlagDomain
import FlagTesting
import Testing
import XCTest

@Suite("Provider contract")
struct ProviderContractTests {
  @Test("A provider that keeps to the contract passes")
  func passes() async throws { try await contract(of: FaultyProvider(nil)).check() }

  @Test("Each breach of the contract is an issue", arguments: FaultyProvider.Fault.allCases)
  func finds(fault: FaultyProvider.Fault) async {
    var contract = contract(of: FaultyProvider(fault))
    contract.timeout = .zero
    await withKnownIssue { [contract] in try await contract.check() }
  }

  @Test("Subscribers may hear of a change after a snapshot shows it")
  func waits() async throws {
    let provider = FaultyProvider(nil)
    var contract = contract(of: provider)
    contract.change = .init(to: ["on": false]) {
      provider.turnOff { tell in Task { tell() } }
    }
    try await contract.check()
  }

  @Test("A change of a provider that does not say when it changes is an issue")
  func findsSilence() async throws {
    var contract = ProviderContract(SilentProvider(), present: [:], absent: "off")
    contract.timeout = .zero
    contract.change = .init(to: ["on": nil]) {}
    try await withKnownIssue { [contract] in
      try await contract.check()
    } matching: {
      "\($0)".contains("on: expected a notification of the change, found none")
    }
  }

  @Test("An issue says what was expected, and what was found")
  func says() async throws {
    try await withKnownIssue {
      try await contract(of: FaultyProvider(.failsWithWrongCode)).check()
    } matching: {
      "\($0)".contains("broken, failing: expected PARSE_ERROR, found GENERAL")
    }
  }
}

/// Under XCTest nobody sees the issues of Swift Testing.
final class ProviderContractInXCTestTests: XCTestCase {
  func testAProviderThatKeepsToTheContractPasses() async throws {
    try await contract(of: FaultyProvider(nil)).check()
  }

  func testBreachesAreThrown() async throws {
    do {
      try await contract(of: FaultyProvider(.givesWrongValue)).check()
      XCTFail("The provider breaks the contract.")
    } catch let breaches as ProviderContract.Breaches {
      XCTAssertEqual(breaches.descriptions.first, "on, present: expected true, found 1")
      XCTAssertTrue("\(breaches)".contains("expected reads on several threads to give what one gives, found others"))
    }
  }
}

private func contract(of provider: FaultyProvider) -> ProviderContract {
  var contract = ProviderContract(provider, present: ["on": true], absent: "off")
  contract.failing = ("broken", .parseError)
  contract.change = .init(to: ["on": false]) { provider.turnOff() }
  return contract
}

/// A provider for one user at a time, with one breach of the contract, or without one.
final class FaultyProvider: FlagProvider {
  enum Fault: CaseIterable {
    case hasNoName, inventsAnswers, givesWrongValue, contradictsItself, answersInsteadOfFailing, failsWithWrongCode
    case saysNothing, changesSnapshots, notifiesTooEarly, notifiesNobody, ignoresCancelling
    case keepsAnswersOfFormerUser, answersForAnyone
  }

  fileprivate struct State {
    var value: FlagValue = true
    var user: FlagUser?
    var reads = 0
  }

  private let fault: Fault?
  private let state = Locked(State())
  private let subscribers = Locked<[Int: @Sendable (ChangedKeys) -> Void]>([:])

  init(_ fault: Fault?) { self.fault = fault }

  var name: String { fault == .hasNoName ? "" : "faulty" }

  var isPersonal: Bool { true }

  func setContext(_ context: EvaluationContext) {
    guard fault != .keepsAnswersOfFormerUser else { return }
    state.withLock { $0.user = context.user }
  }

  func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    let id = subscribers.withLock { subscribers in
      subscribers[subscribers.count] = onChange
      return subscribers.count - 1
    }
    return FlagSubscription { [self] in
      guard fault != .ignoresCancelling else { return }
      subscribers.withLock { $0[id] = { _ in } }
    }
  }

  func turnOff(telling: (@escaping @Sendable () -> Void) -> Void = { $0() }) {
    let subscribers = subscribers.withLock { $0.values.map(\.self) }
    if fault == .notifiesTooEarly { for onChange in subscribers { onChange(.all) } }
    state.withLock { $0.value = false }
    guard fault != .notifiesTooEarly, fault != .notifiesNobody else { return }
    telling { for onChange in subscribers { onChange(.all) } }
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
