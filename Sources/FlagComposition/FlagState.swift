internal import FlagDomain

/// Everything that decides values, at one moment; a change makes another.
final class FlagState: Sendable {
  /// Which of the states it is; each change counts one up.
  let revision: UInt64
  let content: Content

  struct Content: Sendable {
    var context: EvaluationContext
    var sources: [Source]
    /// What the program was started with: asked before everything else.
    var launch: [Source] = []
    var overrides = Overrides()
    /// The keys of flags whose overrides wait for the next start.
    var restartKeys: Set<FlagKey> = []
    var defaults: [FlagKey: any Sendable] = [:]
    /// What providers call a flag, where the composition's key style says something else than the flag's key.
    var providerKeys: [FlagKey: FlagKey] = [:]
  }

  /// What one provider knew; an object, so that asking it copies nothing.
  final class Source: Sendable {
    let name: String
    let snapshot: any ProviderSnapshot
    let textReader: TextReader?

    init(name: String, snapshot: any ProviderSnapshot) {
      self.name = name
      self.snapshot = snapshot
      textReader = snapshot.textReader
    }

    /// Returns the source with what its provider knows now.
    func showing(_ snapshot: any ProviderSnapshot) -> Source { Source(name: name, snapshot: snapshot) }
  }

  init(revision: UInt64, content: Content) {
    self.revision = revision
    self.content = content
  }

  /// Returns the context of another user in the same surroundings.
  func context(of user: User?) -> EvaluationContext {
    EvaluationContext(user: user, attributes: content.context.attributes)
  }

  /// Returns the keys of the flags that providers know under some keys.
  func flagKeys(for keys: ChangedKeys) -> ChangedKeys {
    let renamed = content.providerKeys
    guard case .some(let keys) = keys, !renamed.isEmpty else { return keys }
    let kept = keys.filter { renamed[$0] == nil }
    return .some(kept.union(renamed.filter { keys.contains($0.value) }.keys))
  }

  /// Returns the state that follows when something is changed.
  func changed(_ change: (inout Content) -> Void) -> FlagState {
    var content = content
    change(&content)
    return FlagState(revision: revision + 1, content: content)
  }
}

/// The overrides that count, and those that wait for the next start.
struct Overrides: Sendable {
  /// What is stored now.
  var stored: [FlagKey: FlagValue] = [:]
  /// What was stored when the program started.
  var atStart: [FlagKey: FlagValue] = [:]

  var isEmpty: Bool { stored.isEmpty && atStart.isEmpty }

  /// Returns the override that counts for a flag.
  func value(for flag: some FeatureFlag) -> FlagValue? {
    flag.metadata.requiresRestart ? atStart[flag.key] : stored[flag.key]
  }
}
