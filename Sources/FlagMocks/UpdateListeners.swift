import FlagDomain
import FlagServices

typealias UpdateListeners = FlagSubscribers<RemoteUpdate>

extension FlagSubscribers<RemoteUpdate> {
  func push(_ update: RemoteUpdate) { notify(update) }
}
