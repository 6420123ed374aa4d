import FlagDefinitions
import FlagDomain
import FlagJSON

/// A checker that finds parts of a flag that are served, but are probably not intended or can never be chosen.
struct FlagChecker {
  private(set) var diagnostics: [UnlocatedDiagnostic] = []
  private(set) var references: [String] = []
  private(set) var comparisons: [ComparedTexts.Comparison] = []

  private let key: String
  private let path: DocumentPath
  private let fields: [String: FlagValue]
  private let variants: KnownNames
  /// Whether the flag's metadata, or else the document's, mark it as an experiment.
  private let isExperiment: Bool

  /// Creates a checker of a flag.
  ///
  /// - Parameters:
  ///   - fields: The flag's members.
  ///   - key: The flag's key.
  ///   - path: The path of the flag.
  ///   - shared: The document's metadata.
  init(_ fields: [String: FlagValue], key: String, at path: DocumentPath, shared: FlagValue?) {
    let mark = fields["metadata"]?.metadataMember("experiment") ?? shared?.metadataMember("experiment")
    isExperiment = mark == .bool(true)
    self.key = key
    self.path = path
    self.fields = fields
    variants = if case .object(let variants)? = fields["variants"] { KnownNames(variants.keys) } else { KnownNames([]) }
  }

  private static let members = KnownNames(["state", "variants", "defaultVariant", "targeting", "metadata"])

  /// Checks the flag.
  ///
  /// - Parameters:
  ///   - evaluators: The document's shared rules.
  ///   - subjects: The subjects that decide the buckets of the flags before this one.
  ///   - reason: The reason why a part of the flag's rule can never be evaluated, according to the compiler.
  mutating func check(_ evaluators: EvaluatorIndex, subjects: inout BucketingIndex, brokenFor reason: String?) {
    diagnostics.checkMembers(fields.keys, among: Self.members, at: path)
    if let metadata = fields["metadata"] { diagnostics.checkExpiry(metadata, at: path.appending("metadata")) }
    checkVariants()
    checkDefault()
    checkTargeting(evaluators, &subjects, reason)
  }

  /// Notes the subjects that decide the flag's buckets for the flags after it, and checks nothing else.
  mutating func use(_ evaluators: EvaluatorIndex, subjects: inout BucketingIndex) {
    guard case .object(let parts)? = fields["targeting"], !parts.isEmpty else { return }
    var checker = RuleChecker(evaluators: evaluators.names)
    checker.check(.object(parts), at: path.appending("targeting"))
    comparisons = checker.comparisons
    checkSubjects(of: checker, evaluators, &subjects)
  }

  private mutating func checkVariants() {
    guard case .object(let fields)? = fields["variants"] else { return }
    let path = path.appending("variants")
    for (name, value) in fields.inOrder {
      if name.isEmpty {
        diagnostics.fail(path, "expected a variant's name, found an empty string")
      }
      if case .array = value {
        diagnostics.warn(path.appending(name), "the format's schema allows no arrays as variants")
      }
    }
  }

  private mutating func checkDefault() {
    guard case .string(let name)? = fields["defaultVariant"], !variants.isEmpty, !hasDefault else { return }
    diagnostics.fail(
      path.appending("defaultVariant"), "no variant is named \(name.quoted)\(variants.question(name))")
  }

  private mutating func checkTargeting(
    _ evaluators: EvaluatorIndex, _ subjects: inout BucketingIndex, _ reason: String?
  ) {
    let path = path.appending("targeting")
    guard let rule = fields["targeting"] else { return }
    guard rule != .null else {
      return diagnostics.expect("a rule, or no member \"targeting\" at all", at: path, found: rule)
    }
    guard case .object(let parts) = rule, !parts.isEmpty else { return }
    var checker = RuleChecker(evaluators: evaluators.names)
    checker.check(rule, at: path)
    diagnostics += checker.diagnostics
    checkResults(RuleResults(of: rule, at: path), evaluators)
    checkSubjects(of: checker, evaluators, &subjects)
    references = checker.references.map(\.name)
    comparisons = checker.comparisons
    // The compiler finds the same errors again; only limits on a rule including its shared rules are new.
    if let reason, !checker.hasErrors, !references.contains(where: { evaluators.facts(of: $0).hasErrors }) {
      diagnostics.fail(path, "\(reason), with those of the evaluators that it uses")
    }
  }

  private mutating func checkResults(_ results: RuleResults, _ evaluators: EvaluatorIndex) {
    guard !variants.isEmpty else { return }
    var reached: Set<String> = []
    var isOpen = results.isOpen
    for result in results.results {
      let names = result.values.compactMap(\.variantName)
      if let value = result.values.first, names.isEmpty {
        diagnostics.expect("the name of a variant, a boolean or null", at: result.path, found: value)
      }
      check(names, at: result.path, of: "the rule", &reached)
    }
    var known: [RuleResults.Filter: Set<String>] = [:]
    for reference in results.references where known[reference.filter, default: []].insert(reference.name).inserted {
      let facts = evaluators.facts(of: reference.name)
      isOpen = isOpen || facts.isOpen
      let names = facts.results.filter(reference.filter.includes).compactMap(\.variantName).sorted()
      check(names, at: reference.path, of: "the evaluator \(reference.name.quoted)", &reached)
    }
    // A wrong name may be intended as that of a variant that no rule reaches.
    if !isOpen, reached.allSatisfy(variants.contains), hasDefault { checkReach(reached) }
  }

  private mutating func check(
    _ names: [String], at path: DocumentPath, of source: String, _ reached: inout Set<String>
  ) {
    reached.formUnion(names)
    let unknown = names.filter { !variants.contains($0) }
    guard let first = unknown.first else { return }
    let text =
      switch unknown.count {
      case 1: "\(first.quoted), which is not a variant\(variants.question(first))"
      case 2: "\(first.quoted) and \(unknown[1].quoted), which are not variants"
      default: "\(first.quoted) and \(unknown.count - 1) others, which are not variants"
      }
    diagnostics.fail(path, "\(source) can give \(text)")
  }

  /// Whether the default variant, if one is named, exists.
  private var hasDefault: Bool {
    if case .string(let name)? = fields["defaultVariant"], !name.isEmpty { variants.contains(name) } else { true }
  }

  private mutating func checkReach(_ reached: Set<String>) {
    for name in variants.subtracting(reached) where fields["defaultVariant"] != .string(name) {
      diagnostics.warn(path.appending("variants").appending(name), "no rule reaches this variant")
    }
  }

  private mutating func checkSubjects(
    of checker: RuleChecker, _ evaluators: EvaluatorIndex, _ index: inout BucketingIndex
  ) {
    var used: [(BucketingIndex.Subject, DocumentPath)] = []
    for subject in checker.subjects where !evaluators.readsFlagKey(subject) {
      used.append((index.subject(subject.value), subject.path))
    }
    var names: Set<String> = []
    for reference in checker.references where names.insert(reference.name).inserted {
      used += evaluators.facts(of: reference.name).subjects.sorted().map { ($0, reference.path) }
    }
    var known: Set<BucketingIndex.Subject> = []
    for (subject, path) in used where known.insert(subject).inserted {
      guard let other = index.use(subject, by: key, isExperiment: isExperiment) else { continue }
      let noun = other.isExperiment ? "experiment" : "flag"
      let result = other.isExperiment ? ", and the results of both experiments are correlated" : ""
      diagnostics.warn(
        path,
        "the \(noun) \(other.key.quoted) splits users by the same expression, so that the same users fall into the "
          + "first share of both\(result): make {\"var\": \"$flagd.flagKey\"} a part of it")
    }
  }
}

extension [UnlocatedDiagnostic] {
  /// Adds a warning for each member of an object that has an unknown name near a known one.
  mutating func checkMembers(_ names: some Collection<String>, among known: KnownNames, at path: DocumentPath) {
    for name in names.sorted() where !known.contains(name) {
      guard let near = known.closest(to: name) else { continue }
      warn(path.appending(name), "the member \(name.quoted) means nothing here: did you mean \(near.quoted)?")
    }
  }

  mutating func checkExpiry(_ metadata: FlagValue, at path: DocumentPath) {
    for name in ["expires", "gone"] {
      guard let day = metadata.fields?[name], day.text.flatMap({ CalendarDay(validating: $0) }) == nil else { continue }
      warn(path.appending(name), "expected a day such as \"2027-01-31\", found \(day.summary)")
    }
  }
}

extension FlagValue {
  fileprivate func metadataMember(_ name: String) -> FlagValue? {
    if case .object(let members) = self { members.member(name) } else { nil }
  }
}
