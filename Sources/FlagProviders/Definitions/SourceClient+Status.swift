package import FlagDefinitions
package import FlagDomain

extension StoredDefinitions: DiffableContent {
  package func changes(since old: StoredDefinitions) -> ChangedKeys? { version == old.version ? nil : .all }
}

extension SourceClient where Content == StoredDefinitions {
  /// The definitions that are served, their origin, and the reason why they may be out of date.
  package var status: DefinitionStatus {
    let content = content.current
    let served = content.served
    var status = DefinitionStatus(served.current?.content, isSettled: served.isSettled)
    status.origin =
      switch served.current?.origin {
      case .source, nil: .store
      case .cache: .cached
      case .bundle: .bundled
      }
    status.fetchedAt = served.current?.fetchedAt
    status.failure = served.failure
    status.findings = served.findings
    status.updates = content.follower.updates
    return status
  }

  package func subscribe(_ onChange: @escaping @Sendable () -> Void) -> FlagSubscription {
    content.subscribe { _ in onChange() }
  }
}
