import FlagDomain
import FlagProviders

typealias UpdateListeners = Subscribers<RemoteUpdate>

extension Subscribers<RemoteUpdate> {
  func push(_ update: RemoteUpdate) { notify(update) }
}
