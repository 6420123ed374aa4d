public import FlagDomain
@_exported public import FlagServices

/// A mock that behaves like LaunchDarkly's client: typed values, an identified user, pushed updates.
public final class MockLaunchDarkly: Sendable {
  /// The values that targeting rules give a user, which override the values for everyone.
  public typealias Targeting = @Sendable (FlagUser?) -> [FlagKey: FlagValue]

  private struct Project {
    var values: [FlagKey: FlagValue]
    var targeting: Targeting
    var user: FlagUser?
    /// The number of changes that have not been pushed yet.
    var pending = 0

    var answers: RemoteAnswers {
      let targeted = targeting(user).mapValues { FlagAnswer($0, reason: .targetingMatch) }
      return RemoteAnswers(values.mapValues { FlagAnswer($0) }.merging(targeted) { _, targeted in targeted })
    }
  }

  /// The service's name.
  public let name = "LaunchDarkly"
  /// The network between the service and its client.
  public let network: MockNetwork
  private let project: Locked<Project>
  private let listeners = UpdateListeners()

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - values: The values for everyone.
  ///   - network: The network between the service and its client.
  ///   - targeting: The values that targeting rules give a user.
  public init(
    _ values: [FlagKey: FlagValue] = [:], network: MockNetwork = MockNetwork(),
    targeting: @escaping Targeting = { _ in [:] }
  ) {
    self.network = network
    project = Locked(Project(values: values, targeting: targeting))
  }

  /// The user that the client last identified.
  public var identifiedUser: FlagUser? { project.withLock { $0.user } }

  /// Changes values for everyone, and pushes all values of the identified user; nil removes a flag.
  public func update(_ values: [FlagKey: FlagValue?]) {
    change { for (key, value) in values { $0.values[key] = value } }
  }

  /// Changes the targeting rules, and pushes all values of the identified user.
  public func target(_ targeting: @escaping Targeting) { change { $0.targeting = targeting } }

  /// Changes the values and pushes them in order; if another thread is pushing, that one pushes this change, too.
  private func change(_ change: (inout Project) -> Void) {
    let isFirst = project.withLock { project in
      change(&project)
      project.pending += 1
      return project.pending == 1
    }
    guard isFirst else { return }
    var pushed = 0
    repeat {
      let project = project.withLock { $0 }
      if network.failure == nil { listeners.push(.answers(project.answers, for: project.user)) }
      pushed = project.pending
    } while project.withLock { project in
      project.pending -= pushed
      return project.pending > 0
    }
  }
}

extension MockLaunchDarkly: RemoteFlagService {
  /// Identifies a user, and returns all flags' values for that user.
  public func fetch(for user: FlagUser?) async throws(FlagError) -> RemoteAnswers {
    // A fetch that was superseded identifies nobody.
    if !Task.isCancelled { project.withLock { $0.user = user } }
    var project = try await network.request { self.project.withLock { $0 } }
    project.user = user
    return project.answers
  }

  /// Calls a closure for every update that is pushed.
  public func subscribe(_ onUpdate: @escaping @Sendable (RemoteUpdate) -> Void) -> FlagSubscription {
    listeners.subscribe(onUpdate)
  }
}
