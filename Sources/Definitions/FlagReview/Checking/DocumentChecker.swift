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
  init(_ reader: DocumentReader, _ flags: FlagTable, only keys: Set<String>?) {
    outline = reader.outline
    var subjects = BucketingIndex()
    evaluators = EvaluatorIndex(reader.evaluators, subjects: &subjects)
    diagnostics = reader.diagnostics.kept + evaluators.diagnostics
    checkMembers()
    checkKeys(keys)
    checkDuplicates()
    var broken: BrokenParts?
    // Flags matter to those after them, by the expressions that split users.
    let last = outline.flags.lastIndex { keys?.contains($0.key) ?? true } ?? -1
    for flag in outline.flags.prefix(last + 1) {
      guard case .object(let fields) = flag.value else { continue }
      var checker = FlagChecker(
        fields, key: flag.key, at: Self.flags.appending(flag.key), shared: outline.metadata)
      if let keys, !keys.contains(flag.key) {
        checker.use(evaluators, subjects: &subjects)
        continue
      }
      let rule = flags[flag.key]?.rule
      broken = broken ?? rule.map { BrokenParts(of: $0) }
      let reason = rule.flatMap { broken?.reason(in: $0) }
      checker.check(evaluators, subjects: &subjects, brokenFor: reason)
      diagnostics += checker.diagnostics
      references[flag.key] = checker.references
    }
  }
}

extension DocumentChecker {
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

  private mutating func checkKeys(_ keys: Set<String>?) {
    for flag in outline.flags where keys?.contains(flag.key) ?? true {
      let path = Self.flags.appending(flag.key)
      if flag.key.isEmpty {
        diagnostics.fail(path, "expected a key, found an empty string")
      } else if !FlagKey.isValid(flag.key) {
        diagnostics.warn(path, "expected a key without white space, of at most 1024 bytes")
      }
    }
  }

  /// Finds keys and members that occur twice, compared by code units.
  private mutating func checkDuplicates() {
    var keys = StringTable()
    for flag in outline.flags where !keys.add(flag.key) {
      diagnostics.append(.repeatedFlag(Self.flags.appending(flag.key), offset: flag.offset))
    }
    var names = StringTable()
    for member in outline.members where !names.add(member.name) {
      diagnostics.warn(
        DocumentPath.root.appending(member.name), "expected each member once: only the last one of this name counts",
        offset: member.offset)
    }
    for member in outline.duplicates {
      guard member.isSameName else {
        let counted = member.countedName.quoted
        diagnostics.fail(
          member.path, "expected names that differ in more than their Unicode form: \(counted) counts",
          offset: member.offset)
        continue
      }
      diagnostics.warn(
        member.path, "expected each member once: only the last one of this name counts", offset: member.offset)
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
