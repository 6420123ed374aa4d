package import FlagDefinitions
package import FlagDomain

extension StoredDefinitions: DiffableContent {
  package func changes(since old: StoredDefinitions) -> ChangedKeys? { version == old.version ? nil : .all }
}

extension SourceClient where Content == StoredDefinitions {
  /// The definitions that are served, their origin, and the reason why they may be out of date.
  package var standing: DefinitionStanding {
    let served = content.current.served
    var standing = DefinitionStanding(served.current?.content, isSettled: served.isSettled)
    standing.origin =
      switch served.current?.origin {
      case .source, nil: .store
      case .cache: .kept
      case .bundle: .bundled
      }
    standing.fetchedAt = served.current?.fetchedAt
    standing.failure = served.failure
    standing.findings = served.findings
    return standing
  }

  package func subscribe(_ onChange: @escaping @Sendable () -> Void) -> FlagSubscription {
    content.subscribe { _ in onChange() }
  }
}
