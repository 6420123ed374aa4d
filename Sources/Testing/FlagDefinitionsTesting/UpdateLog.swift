package import FlagDefinitions
import Synchronization

/// Takes down the updates of a store, and waits for them.
package final class UpdateLog: Sendable {
  private let received = Mutex<[DefinitionVersion?]>([])
  private let (updates, continuation) = AsyncStream.makeStream(of: Void.self)

  package init() {}

  package func add(_ update: Result<StoredDefinitions, DefinitionStoreError>) {
    received.withLock {
      switch update {
      case .success(let definitions): $0.append(definitions.version)
      case .failure: $0.append(nil)
      }
    }
    continuation.yield()
  }

  package var versions: [DefinitionVersion?] { received.withLock { $0 } }
  package var count: Int { versions.count }

  package func wait(_ isExpected: ([DefinitionVersion?]) -> Bool) async {
    if isExpected(versions) { return }
    for await _ in updates where isExpected(versions) { return }
  }
}
