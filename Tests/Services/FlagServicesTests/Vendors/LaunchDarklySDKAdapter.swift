import FlagDomain
import FlagServices
import Foundation
import Synchronization

final class LaunchDarklySDKService: RemoteFlagService {
  let name = "LaunchDarkly"
  private let client: LDClient
  private let identified = Mutex<FlagUser??>(nil)
  init(client: LDClient) { self.client = client }

  func fetch(for user: FlagUser?) async throws(FlagError) -> RemoteAnswers {
    if identified.withLock({ $0 }) != .some(user) { try await identify(user) }
    do {
      let values = try JSONDecoder().decode(
        [String: FlagValue].self, from: JSONEncoder().encode(client.allFlags ?? [:]))
      let answers = values.compactMap { name, value in FlagKey(validating: name).map { ($0, FlagAnswer(value)) } }
      return RemoteAnswers(Dictionary(answers) { $1 })
    } catch { throw FlagError(.parseError, "expected LaunchDarkly's values, found the error \(error)") }
  }

  private func identify(_ user: FlagUser?) async throws(FlagError) {
    var builder = user.map { LDContextBuilder(key: $0.id) } ?? LDContextBuilder()
    builder.anonymous(user == nil)
    if let code = user?.countryCode { builder.trySetValue("countryCode", .string(code)) }
    guard case .success(let context) = builder.build() else { throw FlagError(.invalidContext, "a user without an id") }
    let result = await withCheckedContinuation { done in
      client.identify(context: context) { done.resume(returning: $0) }
    }
    guard case .complete = result else { throw FlagError(.general, "LaunchDarkly's identify ended with \(result)") }
    identified.withLock { $0 = user }
  }

  func subscribe(_ onUpdate: @escaping @Sendable (RemoteUpdate) -> Void) -> FlagSubscription {
    client.observeAll(owner: self) { _ in onUpdate(.outdated) }
    return FlagSubscription { [self] in client.stopObserving(owner: self) }
  }
}
