import FlagDomain
import FlagProviders

/// The closures to call when a mock service pushes an update.
typealias UpdateListeners = Subscribers<RemoteUpdate>

extension Subscribers<RemoteUpdate> {
  func push(_ update: RemoteUpdate) { notify(update) }
}
