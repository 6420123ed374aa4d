import FlagDefinitions
import FlagDomain

/// A document at one moment, and the clock that its rules see.
struct TimedDefinitions: Sendable {
  /// The settings that all documents of a provider share.
  struct Setting: Sendable {
    let provider: String
    let clock: WallClock
    /// The moment at which the setting was made.
    let moment: Int64?

    init(provider: String, clock: WallClock) {
      (self.provider, self.clock) = (provider, clock)
      moment = clock.moment
    }
  }

  let document: any DefinitionDocument
  /// The moment of the answers; nil if the time is read at each evaluation.
  var moment: Int64?
  /// The text of the document, if a store has it.
  let text: [UInt8]?
  private let setting: Setting
  /// The number of flags of the previous document, if this one has none.
  private let lostFlags: Int
  /// The last good definitions of the flags that are broken in the document.
  private let lastGood: LastGoodFlags

  init(
    _ document: any DefinitionDocument, _ setting: Setting, text: [UInt8]? = nil,
    replacing previous: TimedDefinitions? = nil
  ) {
    self.document = document
    moment = setting.moment
    self.text = text
    self.setting = setting
    lostFlags = document.isEmpty ? previous?.document.listed.count ?? 0 : 0
    lastGood = previous.map { LastGoodFlags(for: document, after: $0.document, $0.lastGood) } ?? LastGoodFlags()
  }
}

extension TimedDefinitions: ProviderSnapshot {
  func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
    if !lastGood.isEmpty, let answer = try lastGood.answer(for: key, in: context, at: moment, now: setting.clock.now) {
      return answer
    }
    return try document.evaluate(key, in: context, at: moment, now: setting.clock.now)
  }

  var textReader: TextReader? { document.textReader }

  /// The document, and those of the last good definitions.
  private var documents: [any DefinitionDocument] { [document] + lastGood.documents }

  var unitAttributes: Set<String> { documents.reduce(into: []) { $0.formUnion($1.unitAttributes) } }

  /// The next moment at which an answer may change, in seconds since 1970-01-01 UTC, or nil.
  var nextInstant: Int64? {
    moment.flatMap { moment in documents.compactMap { $0.nextInstant(after: moment) }.min() }
  }

  /// The errors and warnings of single flags, at most 100, and a warning if the document has lost all flags.
  var findings: [FlagError] {
    let lines = Array(document.diagnostics.prefix(100)).lines
    let errors = lines.map { FlagError(.parseError, $0, provider: setting.provider) }
    guard lostFlags > 0 else { return errors }
    let flags = lostFlags == 1 ? "the flag" : "the \(lostFlags) flags"
    let warning = "warning: the document has no flags, in place of \(flags) before; their defaults in the code are used"
    return [FlagError(.general, warning, provider: setting.provider)] + errors
  }
}

extension TimedDefinitions: DiffableContent {
  func changes(since old: TimedDefinitions) -> ChangedKeys? {
    var names = document.changedKeys(from: old.document)
    if let moment, let before = old.moment, moment != before {
      for document in documents {
        names.formUnion(document.changedKeys(after: min(before, moment), through: max(before, moment)))
      }
    }
    return names.isEmpty ? nil : .some(names)
  }
}

extension DefinitionDocument {
  fileprivate var isEmpty: Bool { (self as? FlagDocument)?.hasNoFlags ?? listed.isEmpty }
}
