import FlagDefinitions
import FlagDomain
import FlagJSON

/// A checker that finds all errors in a document, and everything in it that is probably not intended.
///
/// It visits each part once, and a shared rule once for all flags that use it: the work is linear in the size of any
/// document.
struct DocumentChecker {
  private(set) var diagnostics: [UnlocatedDiagnostic] = []

  private let outline: DocumentOutline
  private let evaluators: EvaluatorIndex
  /// The shared rules that each flag's rule refers to.
  private var references: [String: [String]] = [:]

  /// Creates a checker of all flags; if keys are given, of those flags, and of what others tell about them.
  init(
    _ reader: DocumentReader, _ flags: FlagTable, of text: some Collection<UInt8>, only keys: Set<String>?
  ) throws(JSONError) {
    outline = try DocumentOutline(of: text)
    var subjects = BucketingIndex()
    evaluators = EvaluatorIndex(outline.evaluators, subjects: &subjects)
    diagnostics = reader.diagnostics.kept + evaluators.diagnostics
    if let disguised = reader.disguisedTexts { diagnostics += disguised.warnings(in: text) }
    checkMembers()
    checkDuplicates()
    var (broken, compared) = (RuleFaults.broken, ComparedTexts())
    for comparison in evaluators.comparisons { diagnostics += compared.add(comparison).map { [$0] } ?? [] }
    // Flags matter to those after them, by the expressions that split users.
    let last = outline.flags.lastIndex { keys?.contains($0.key) ?? true } ?? -1
    for flag in outline.flags.prefix(last + 1) {
      guard let fields = outline.value(of: flag)?.fields else { continue }
      var checker = FlagChecker(
        fields, key: flag.key, at: Self.flags.appending(flag.key), shared: outline.metadata)
      if let keys, !keys.contains(flag.key) {
        checker.use(evaluators, subjects: &subjects)
        for comparison in checker.comparisons { _ = compared.add(comparison) }
        continue
      }
      let reason = flags[flag.key]?.rule.flatMap { broken.reason(in: $0) }
      checker.check(evaluators, subjects: &subjects, brokenFor: reason)
      diagnostics += checker.diagnostics + checker.comparisons.compactMap { compared.add($0) }
      references[flag.key] = checker.references
    }
  }

  private static let flags = DocumentPath.root.appending("flags")

  private static let members = KnownNames(["$schema", "$evaluators", "flags", "metadata"])

  func diagnostics(of keys: Set<String>) -> [UnlocatedDiagnostic] {
    let evaluators = evaluators.closure(of: keys.flatMap { references[$0] ?? [] })
    let wanted = Set(keys.map(Self.flags.appending) + evaluators.map(EvaluatorIndex.path.appending))
    // Consecutive diagnostics of one part share its path, whose name can be long: it is looked up once.
    var last: (path: DocumentPath, isWanted: Bool)?
    return diagnostics.filter { diagnostic in
      let path = diagnostic.path.prefix(2)
      if let last, last.path == path { return last.isWanted }
      let isWanted = wanted.contains(path)
      last = (path, isWanted)
      return isWanted
    }
  }

  private mutating func checkMembers() {
    diagnostics.checkMembers(outline.members.map(\.name), among: Self.members, at: .root)
    guard let metadata = outline.metadata else { return }
    diagnostics.checkExpiry(metadata, at: DocumentPath.root.appending("metadata"))
  }

  /// Finds members of the document that occur twice, compared by code units; the reader finds those within them.
  private mutating func checkDuplicates() {
    var names = StringTable()
    for member in outline.members where !names.add(member.name) {
      diagnostics.warn(
        DocumentPath.root.appending(member.name), UnlocatedDiagnostic.repeatedMember, offset: member.offset)
    }
  }
}

extension StringTable {
  fileprivate mutating func add(_ text: String) -> Bool {
    let before = count
    return insert(text) == before
  }
}

extension FlagTable.Entry {
  fileprivate var rule: Rule? {
    if case .flag(let flag) = self { flag.rule } else { nil }
  }
}
