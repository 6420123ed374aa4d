import FlagDefinitions
import FlagDomain

/// A document at one moment, and the clock that its rules see.
struct TimedDefinitions: Sendable {
  /// What is the same for all documents of a provider.
  struct Setting: Sendable {
    let provider: String
    let clock: WallClock
  }

  var timed: TimedDocument
  /// The text of the document, if a store has it.
  let text: [UInt8]?
  private let setting: Setting

  init(_ document: FlagDocument, _ setting: Setting, text: [UInt8]? = nil) {
    timed = TimedDocument(document, at: setting.clock.moment)
    self.text = text
    self.setting = setting
  }
}

extension TimedDefinitions: ProviderSnapshot {
  func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
    try timed.evaluate(key, in: context, now: setting.clock.now)
  }

  /// The diagnostics of single flags as errors; at most 100.
  var findings: [FlagError] {
    timed.document.diagnostics.prefix(100).map { FlagError(.parseError, "\($0)", provider: setting.provider) }
  }
}

extension TimedDefinitions: DiffableContent {
  func changes(since old: TimedDefinitions) -> ChangedKeys? {
    let names = timed.changedKeys(from: old.timed)
    return names.isEmpty ? nil : .some(names)
  }
}
