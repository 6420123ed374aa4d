import FlagDefinitions
import FlagDomain

/// A document at one moment, and the clock that its rules see.
struct TimedDefinitions: Sendable {
  /// The settings that all documents of a provider share.
  struct Setting: Sendable {
    let provider: String
    let clock: WallClock
  }

  let document: any DefinitionDocument
  /// The moment of the answers; nil if the time is read at each evaluation.
  var moment: Int64?
  /// The text of the document, if a store has it.
  let text: [UInt8]?
  private let setting: Setting

  init(_ document: any DefinitionDocument, _ setting: Setting, text: [UInt8]? = nil) {
    self.document = document
    moment = setting.clock.moment
    self.text = text
    self.setting = setting
  }
}

extension TimedDefinitions: ProviderSnapshot {
  func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
    try document.evaluate(key, in: context, at: moment, now: setting.clock.now)
  }

  /// The next moment at which an answer may change, in seconds since 1970-01-01 UTC, or nil.
  var nextInstant: Int64? { moment.flatMap { document.nextInstant(after: $0) } }

  /// The diagnostics of single flags as errors; at most 100.
  var findings: [FlagError] {
    document.diagnostics.prefix(100).map { FlagError(.parseError, "\($0)", provider: setting.provider) }
  }
}

extension TimedDefinitions: DiffableContent {
  func changes(since old: TimedDefinitions) -> ChangedKeys? {
    var names = document.changedKeys(from: old.document)
    if let moment, let before = old.moment, moment != before {
      names.formUnion(document.changedKeys(after: min(before, moment), through: max(before, moment)))
    }
    return names.isEmpty ? nil : .some(names)
  }
}
