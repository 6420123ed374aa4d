import FlagDefinitions
import FlagDomain
import FlagProviders

/// All answers of a service as they stand in its response, each of which is parsed when it is asked for.
///
/// As values they would take several times the memory of the text, and a program reads few of them, each once for each
/// change: its client caches what it has read.
struct AnswerTexts: ProviderSnapshot {
  typealias Parser = @Sendable (ArraySlice<UInt8>) -> Result<FlagAnswer, FlagError>?

  private let text: [UInt8]
  /// The ranges of the answers in the text, by key.
  private let ranges: StringMap<Range<Int>>
  /// The metadata that all answers share.
  private let shared: [String: FlagValue]
  private let parse: Parser
  /// The errors that were found in others.
  let findings: [FlagError]
  let unitAttributes: Set<String>

  /// Creates answers.
  ///
  /// - Parameters:
  ///   - text: The response.
  ///   - ranges: The ranges of the answers by key.
  ///   - shared: The metadata that all answers share.
  ///   - findings: The errors that were found in others.
  ///   - unitAttributes: The names of the attributes that the answers' experiments count by.
  ///   - parse: Parses an answer; nil if the service has none.
  init(
    _ text: [UInt8], ranges: StringMap<Range<Int>>, shared: [String: FlagValue], findings: [FlagError],
    unitAttributes: Set<String>, parse: @escaping Parser
  ) {
    self.text = text
    self.ranges = ranges
    self.shared = shared
    self.findings = findings
    self.unitAttributes = unitAttributes
    self.parse = parse
  }

  func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
    try answer(for: key.name)?.get()
  }

  private func answer(for key: String) -> Result<FlagAnswer, FlagError>? {
    ranges[key].flatMap { parse(text[$0]) }
  }

  private func hasSameText(of key: String, as old: AnswerTexts) -> Bool {
    guard let range = ranges[key], let other = old.ranges[key], range.count == other.count else { return false }
    return text[range].elementsEqual(old.text[other])
  }
}

extension AnswerTexts: DiffableContent {
  func changes(since old: AnswerTexts) -> ChangedKeys? {
    let isShared = FlagValue.object(shared).isIdentical(to: .object(old.shared))
    var changed: Set<String> = []
    for key in [ranges, old.ranges].lazy.flatMap(\.keys) where !(isShared && hasSameText(of: key, as: old)) {
      let (answer, before) = (answer(for: key), old.answer(for: key))
      guard case .success(let new)? = answer, case .success(let old)? = before else {
        if answer != before { changed.insert(key) }
        continue
      }
      if new != old || !new.value.readsAs(old.value) { changed.insert(key) }
    }
    return changed.isEmpty ? nil : .some(changed)
  }
}
