import FlagDomain
import FlagProviders

/// The closures to call when a mock service pushes an update.
final class UpdateListeners: Sendable {
  private let closures = Locked<(next: Int, all: [Int: @Sendable (RemoteUpdate) -> Void])>((0, [:]))

  func subscribe(_ onUpdate: @escaping @Sendable (RemoteUpdate) -> Void) -> FlagSubscription {
    let id = closures.withLock { closures in
      defer { closures.next += 1 }
      closures.all[closures.next] = onUpdate
      return closures.next
    }
    return FlagSubscription { [weak self] in self?.closures.withLock { _ = $0.all.removeValue(forKey: id) } }
  }

  func push(_ update: RemoteUpdate) {
    for onUpdate in closures.withLock({ $0.all.values }) { onUpdate(update) }
  }
}
