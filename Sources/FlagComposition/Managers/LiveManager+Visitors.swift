import FlagDomain

/// The source of an anonymous id that could not be read at the start, and the last reason.
struct UnreadVisitor: Sendable {
  let ids: AnonymousIDs
  var error: FlagError
}

extension LiveManager {
  /// Requests an anonymous id that could not be read again: when its store becomes readable, and after 1, 2, 4 seconds
  /// and so on, then every minute, until there is one or the app sets or removes it.
  func identifyVisitorLater(by ids: AnonymousIDs, after error: FlagError, on clock: any Clock<Duration>) {
    unreadVisitor.withLock { $0 = UnreadVisitor(ids: ids, error: error) }
    hold(ids.subscribe { [weak self] in self?.identifyVisitor() })
    let retries = Task { [weak self] in
      var (waited, delay) = (Duration.zero, Duration.seconds(1))
      while self?.unreadVisitor.withLock({ $0 == nil }) == false {
        do { try await clock.sleep(for: delay) } catch { return }
        self?.identifyVisitor()
        waited += delay
        delay = min(waited, .seconds(60))
      }
    }
    hold(FlagSubscription { retries.cancel() })
  }

  /// Requests the anonymous id if it could not be read yet; reports the reason of a failure unless it is the last one.
  func identifyVisitor() {
    guard let ids = unreadVisitor.withLock({ $0?.ids }) else { return }
    do throws(FlagError) {
      let id = try ids.id()
      changeContext(.context) { context in if takeUnreadVisitor() { context.anonymousID = id } }
    } catch {
      let isNew = unreadVisitor.withLock { visitor in
        guard let last = visitor?.error, last != error else { return false }
        visitor?.error = error
        return true
      }
      if isNew { report([error]) }
    }
  }

  /// Returns whether the id could not be read yet, and ends the attempts.
  func takeUnreadVisitor() -> Bool {
    unreadVisitor.withLock { visitor in
      defer { visitor = nil }
      return visitor != nil
    }
  }
}
