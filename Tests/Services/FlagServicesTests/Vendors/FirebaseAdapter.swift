import FlagDomain
import FlagServices
import Foundation

struct FirebaseService: RemoteFlagService {
  let name = "Firebase"
  let config: RemoteConfig

  func fetch(for user: FlagUser?) async throws(FlagError) -> RemoteAnswers {
    do {
      try await config.setCustomSignals(["user_id": user.map { .string($0.id) }])
      _ = try await config.fetch(withExpirationDuration: 0)
      _ = try await config.activate()
    } catch {
      throw FlagError(.general, "expected values of Firebase, found the error \(error)")
    }
    var answers: [FlagKey: FlagAnswer] = [:]
    for source in [RemoteConfigSource.default, .remote] {
      for name in config.allKeys(from: source) {
        guard let key = FlagKey(validating: name) else { continue }
        answers[key] = FlagAnswer(.string(config[name].stringValue), reason: source == .remote ? .unknown : .default)
      }
    }
    return RemoteAnswers(answers) { text throws(FlagError) in try json(text) }
  }

  func subscribe(_ onUpdate: @escaping @Sendable (RemoteUpdate) -> Void) -> FlagSubscription {
    let registration = config.addOnConfigUpdateListener { update, _ in if update != nil { onUpdate(.outdated) } }
    return FlagSubscription { registration.remove() }
  }
}

func json(_ text: String) throws(FlagError) -> FlagValue {
  do { return try JSONDecoder().decode(FlagValue.self, from: Data(text.utf8)) } catch {
    throw FlagError(.parseError, "expected JSON, found \(error)")
  }
}
