import FlagDefinitions
package import FlagDomain
package import FlagJSON

/// A document's shared rules, and the facts about each of them after all have been analyzed.
package struct EvaluatorIndex {
  let names: KnownNames
  private(set) var diagnostics: [UnlocatedDiagnostic] = []

  private let entries: [String: Entry]
  private var facts: [String: Facts] = [:]

  /// The facts about a shared rule that matter to the rules that refer to it.
  package struct Facts {
    package fileprivate(set) var results: Set<FlagValue> = []
    /// Whether it can also give values from the data, or computed ones.
    package fileprivate(set) var isOpen = false
    /// The subjects that decide the buckets of its splits.
    fileprivate(set) var subjects: Set<BucketingIndex.Subject> = []
    /// Whether it reads the key of the flag that is evaluated.
    fileprivate(set) var readsFlagKey = false
    /// Whether it, or a rule that it refers to, has errors of its own.
    fileprivate(set) var hasErrors = false
  }

  private struct Entry {
    let checker: RuleChecker
    let results: RuleResults

    init(_ rule: FlagValue, at path: DocumentPath, among names: KnownNames) {
      var checker = RuleChecker(evaluators: names)
      checker.check(rule, at: path)
      self.checker = checker
      results = RuleResults(of: rule, at: path)
    }

    var references: Set<String> { Set(checker.references.map(\.name)) }
  }

  package init(_ evaluators: [String: FlagValue], subjects: inout BucketingIndex) {
    let names = KnownNames(evaluators.keys)
    var entries: [String: Entry] = [:]
    for (name, rule) in evaluators { entries[name] = Entry(rule, at: Self.path.appending(name), among: names) }
    self.names = names
    self.entries = entries
    for name in evaluators.keys.sorted() {
      let path = Self.path.appending(name)
      if name.isEmpty { diagnostics.fail(path, "expected an evaluator's name, found an empty string") }
      diagnostics += entries[name]?.checker.diagnostics ?? []
      // Subjects are numbered in the order of the names, so that diagnostics are the same in every run.
      for subject in entries[name]?.checker.subjects ?? [] { _ = subjects.subject(subject.value) }
    }
    let order = ReferenceOrder(ofEvaluators: evaluators)
    for name in order.names where !order.circular.contains(name) { facts[name] = facts(of: name, subjects: &subjects) }
    checkCircles(of: order.circular)
  }

  package static let path = DocumentPath.root.appending("$evaluators")

  /// Returns the facts about a shared rule; for a rule that refers to itself, nothing is known.
  package func facts(of name: String) -> Facts { facts[name] ?? Facts(isOpen: true, hasErrors: true) }

  /// Returns whether the flag's key is a part of the subject that decides a split's buckets.
  func readsFlagKey(_ subject: RuleChecker.Subject) -> Bool {
    subject.readsFlagKey || subject.references.contains { facts(of: $0).readsFlagKey }
  }

  /// The comparisons of all shared rules, in the order of their names.
  var comparisons: [ComparedTexts.Comparison] {
    entries.sorted { $0.key < $1.key }.flatMap(\.value.checker.comparisons)
  }

  package func closure(of names: [String]) -> Set<String> {
    var found = Set(names)
    var next = names
    while let name = next.popLast() {
      for reference in entries[name]?.references ?? [] where found.insert(reference).inserted { next.append(reference) }
    }
    return found
  }

  /// The maximum number of results, and of splits, that are recorded for a shared rule.
  ///
  /// It bounds the work for many uses of a large rule.
  private static let maximumFacts = 32

  /// Returns the facts about a rule; those about its references are already known.
  private func facts(of name: String, subjects index: inout BucketingIndex) -> Facts {
    guard let entry = entries[name] else { return Facts(isOpen: true, hasErrors: true) }
    var facts = Facts(
      isOpen: entry.results.isOpen, readsFlagKey: entry.checker.readsFlagKey, hasErrors: entry.checker.hasErrors)
    facts.results.formUnion(entry.results.results.flatMap(\.values))
    for reference in entry.results.references {
      let others = self.facts(of: reference.name)
      facts.isOpen = facts.isOpen || others.isOpen
      facts.results.formUnion(others.results.filter(reference.filter.includes))
    }
    if facts.results.count > Self.maximumFacts { (facts.results, facts.isOpen) = ([], true) }
    facts.subjects = Set(entry.checker.subjects.filter { !readsFlagKey($0) }.map { index.subject($0.value) })
    for reference in entry.references {
      let others = self.facts(of: reference)
      facts.subjects.formUnion(others.subjects)
      facts.readsFlagKey = facts.readsFlagKey || others.readsFlagKey
      facts.hasErrors = facts.hasErrors || others.hasErrors
    }
    if facts.subjects.count > Self.maximumFacts { facts.subjects = [] }
    return facts
  }

  private mutating func checkCircles(of circular: Set<String>) {
    for name in circular.sorted() {
      guard let next = entries[name]?.checker.references.first(where: { circular.contains($0.name) }) else { continue }
      let text = next.name == name ? "refers to itself" : "refers back to this one"
      diagnostics.fail(next.path, "the evaluator \(next.name.quoted) \(text), and so it can never be evaluated")
    }
  }
}
