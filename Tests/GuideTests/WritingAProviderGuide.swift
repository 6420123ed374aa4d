import FlagDomain
import FlagProviders
import FlagServices
import FlagTesting
import Synchronization
import Testing

@Suite("Guide to writing a provider")
struct WritingAProviderGuide {
  @Test("A closure is a provider")
  func closure() throws {
    let hour = ClosureProvider(name: "night") { key, context in
      key == "feed.page-size" ? FlagAnswer(50) : nil
    }
    #expect(try hour.snapshot().answer(for: "feed.page-size", in: EvaluationContext())?.value == 50)
  }
}

final class SeasonProvider: FlagProvider {
  let name = "season"
  private let isWinter = Mutex(false)
  private let subscribers = FlagSubscribers<ChangedKeys>()

  func snapshot() -> any ProviderSnapshot { Season(isWinter: isWinter.withLock { $0 }) }

  func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    subscribers.subscribe(onChange)
  }

  func setWinter(_ isWinter: Bool) {
    self.isWinter.withLock { $0 = isWinter }
    subscribers.notify(.some(["snow"]))
  }

  private struct Season: ProviderSnapshot {
    let isWinter: Bool

    func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? {
      key == "snow" ? FlagAnswer(.bool(isWinter)) : nil
    }
  }
}

extension WritingAProviderGuide {
  @Test("A provider with a list of subscribers keeps the contract of every provider")
  func season() async throws {
    let provider = SeasonProvider()
    var contract = ProviderContract(provider, present: ["snow": false], absent: "absent")
    contract.change = ProviderContract.Change(to: ["snow": true]) { provider.setWinter(true) }
    try await contract.check()
  }
}

struct VendorService: RemoteFlagService {
  let name = "Vendor"
  let client: VendorClient

  func fetch(for user: FlagUser?) async throws(FlagError) -> RemoteAnswers {
    do {
      let values = try await withCheckedThrowingContinuation { continuation in
        client.identify(user?.id) { continuation.resume(with: $0) }
      }
      return answers(values)
    } catch {
      throw FlagError(.general, "expected answers for a user, found the error \(error)")
    }
  }

  func subscribe(_ onUpdate: @escaping @Sendable (RemoteUpdate) -> Void) -> FlagSubscription {
    let token = client.addListener { onUpdate(.outdated) }
    return FlagSubscription { client.removeListener(token) }
  }
}

extension VendorService {
  func answers(_ values: [String: VendorValue]) -> RemoteAnswers {
    var answers: [FlagKey: FlagAnswer] = [:]
    for (name, value) in values {
      guard let key = FlagKey(validating: name) else { continue }
      answers[key] = FlagAnswer(flagValue(of: value), variant: value.variation, reason: .targetingMatch)
    }
    return RemoteAnswers(answers)
  }

  func flagValue(of value: VendorValue) -> FlagValue {
    switch value.content {
    case .flag(let isOn): .bool(isOn)
    case .number(let number): .double(number)
    case .text(let text): .string(text)
    }
  }
}

extension WritingAProviderGuide {
  @Test("A vendor's client keeps the contract of every provider")
  func vendor() async throws {
    let client = VendorClient(["beta": VendorValue(.flag(true))])
    let provider = RemoteProvider(VendorService(client: client), clock: ManualClock())
    try await provider.waitUntilReady()
    var contract = ProviderContract(provider, present: ["beta": true], absent: "absent")
    contract.change = ProviderContract.Change(to: ["beta": false]) {
      client.publish(["beta": VendorValue(.flag(false))])
      try await provider.refresh()
    }
    try await contract.check()
  }
}

/// A value as the vendor has it.
struct VendorValue: Sendable {
  enum Content: Sendable {
    case flag(Bool)
    case number(Double)
    case text(String)
  }

  let content: Content
  let variation = "a"

  init(_ content: Content) { self.content = content }
}

/// A client of a vendor, with callbacks and a user of its own.
final class VendorClient: Sendable {
  private let values: Mutex<[String: VendorValue]>
  private let listeners = Mutex<[Int: @Sendable () -> Void]>([:])

  init(_ values: [String: VendorValue]) { self.values = Mutex(values) }

  func publish(_ values: [String: VendorValue]) {
    self.values.withLock { $0 = values }
    for listener in listeners.withLock({ $0.values }) { listener() }
  }

  func identify(_ userID: String?, _ completion: @Sendable (Result<[String: VendorValue], any Error>) -> Void) {
    completion(.success(values.withLock { $0 }))
  }

  func addListener(_ listener: @escaping @Sendable () -> Void) -> Int {
    listeners.withLock {
      $0[$0.count] = listener
      return $0.count - 1
    }
  }

  func removeListener(_ token: Int) { listeners.withLock { _ = $0.removeValue(forKey: token) } }
}
