import FlagDefinitions
import Synchronization

final class UpdateLog: Sendable {
  private let received = Mutex<[DefinitionVersion?]>([])
  private let (updates, continuation) = AsyncStream.makeStream(of: Void.self)

  func add(_ update: Result<StoredDefinitions, DefinitionStoreError>) {
    received.withLock {
      switch update {
      case .success(let definitions): $0.append(definitions.version)
      case .failure: $0.append(nil)
      }
    }
    continuation.yield()
  }

  var versions: [DefinitionVersion?] { received.withLock { $0 } }
  var count: Int { versions.count }

  func wait(_ isExpected: ([DefinitionVersion?]) -> Bool) async {
    if isExpected(versions) { return }
    for await _ in updates where isExpected(versions) { return }
  }
}
