import FlagDomain

extension LiveManager {
  /// Changes the context of the state, and then that of the providers that ask a service for it.
  ///
  /// Users are passed to providers that conform to `UserAuthenticator`; the anonymous id and the attributes of the app,
  /// to those that conform to `FlagContextUpdating`, whose other attributes stay.
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
      for provider in providers { change.pass(to: provider) }
      guard change.isOfOther else { continue }
      let keys = state.running.repin(state.content.sources)
      // A value that was read meanwhile is cached.
      if !keys.isEmpty { self.change { _ in FlagChange(keys: ChangedKeys(keys), causes: [.user]) } }
    }
  }
}

/// The parts of a context that differ from those before.
struct ContextChange: Sendable {
  /// The user; nil if it is the same.
  private let user: FlagUser??
  private let anonymousID: String??
  /// Whether the context is that of another user or visitor.
  let isOfOther: Bool
  private let attributes: [String: FlagValue]
  private let removed: Set<String>

  init(from old: EvaluationContext, to new: EvaluationContext) {
    user = new.user == old.user ? nil : .some(new.user)
    anonymousID = new.anonymousID.attributeValue == old.anonymousID.attributeValue ? nil : .some(new.anonymousID)
    isOfOther = new.targetingKey.attributeValue != old.targetingKey.attributeValue
    attributes = new.attributes.filter { old.attributes.member($0.key) != $0.value }
    removed = Set(old.attributes.keys).subtracting(new.attributes.keys)
  }

  func pass(to provider: any FlagProvider) {
    if let updater = provider as? any FlagContextUpdating {
      if !attributes.isEmpty || !removed.isEmpty { updater.updateAttributes(attributes, removing: removed) }
      // Last, since another visitor is asked for at once.
      if let anonymousID { updater.setAnonymousID(anonymousID) }
    }
    if let user { (provider as? any UserAuthenticator)?.setUser(user) }
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
