import FlagDomain

extension LiveManager: UserAuthenticator {
  /// Sets the user in the state at once, and then in the providers.
  func setUser(_ user: FlagUser?) {
    identifyVisitor()
    changeContext(.user) { $0.user = user }
  }
}

extension LiveManager: FlagContextUpdating {
  var attributes: [String: FlagValue] { context.attributes }

  func updateAttributes(_ values: [String: FlagValue], removing names: Set<String>) {
    changeContext(.context) { $0.updateAttributes(values, removing: names) }
  }

  /// Sets or removes the anonymous id, and ends the attempts to read it.
  func setAnonymousID(_ id: String?) {
    changeContext(.context) { context in
      _ = takeUnreadVisitor()
      context.anonymousID = id
    }
  }
}

extension LiveManager {
  /// Changes the context of the state, and then that of the providers.
  func changeContext(_ cause: FlagChange.Cause, _ edit: (inout EvaluationContext) -> Void) {
    change { content in
      let old = content.context
      edit(&content.context)
      guard content.context != old else { return nil }
      // Under the lock, so that providers receive contexts in the order of the states.
      waitingContexts.withLock { $0.changes.append(ContextChange(from: old, to: content.context)) }
      return FlagChange(keys: .all, causes: [cause])
    }
    notifyProviders()
  }

  /// Passes the current context to providers that have none yet.
  func passContext() {
    // One that changes meanwhile is passed on later.
    change { content in
      waitingContexts.withLock { $0.changes.append(ContextChange(from: EvaluationContext(), to: content.context)) }
      return nil
    }
    notifyProviders()
  }

  /// Passes each change to the providers, in order, from one thread at a time and with no lock held.
  private func notifyProviders() {
    guard waitingContexts.withLock({ $0.begin() }) else { return }
    while let change = waitingContexts.withLock({ $0.next() }) {
      for provider in providers { provider.setContext(change.context) }
      guard change.isOfOther else { continue }
      let state = sharedState
      let keys = state.running.repin(state.content.sources)
      // A value that was read meanwhile is cached.
      if !keys.isEmpty { self.change { _ in FlagChange(keys: ChangedKeys(keys), causes: [.user]) } }
    }
  }
}

/// A context that differs from the one before.
struct ContextChange: Sendable {
  let context: EvaluationContext
  /// Whether it is that of another user or visitor.
  let isOfOther: Bool

  init(from old: EvaluationContext, to new: EvaluationContext) {
    context = new
    isOfOther = new.targetingKey.attributeValue != old.targetingKey.attributeValue
  }
}

/// The changes not yet passed to the providers, and whether a thread is passing them.
struct WaitingContexts {
  var changes: [ContextChange] = []
  private var isNotifying = false

  /// Returns whether the caller must notify the providers; false if another thread is already doing so.
  mutating func begin() -> Bool {
    guard !isNotifying, !changes.isEmpty else { return false }
    isNotifying = true
    return true
  }

  /// Returns the next change, or nil if the queue is empty.
  mutating func next() -> ContextChange? {
    guard changes.isEmpty else { return changes.removeFirst() }
    isNotifying = false
    return nil
  }
}

// MARK: Visitors

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
  private func takeUnreadVisitor() -> Bool {
    unreadVisitor.withLock { visitor in
      defer { visitor = nil }
      return visitor != nil
    }
  }
}
