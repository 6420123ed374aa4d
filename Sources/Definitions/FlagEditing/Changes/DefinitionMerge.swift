package import FlagDomain
package import FlagJSON

/// The edits of two people of one flag, made to the same definition, in one definition: by member, and the rule by
/// branch.
///
/// If only one of them edited a part, that edit is taken. A part that both edited differently is a conflict, of which a
/// person chooses a side.
package struct DefinitionMerge: Sendable {
  /// A part that two people edited differently.
  package struct Conflict: Hashable, Sendable {
    /// The part, by its path in the flag; it distinguishes the conflicts of a merge.
    package let id: String
    /// The part in words: "state", "rule, branch 2".
    package let part: String
    /// The part as each of them has it, as JSON; nil if it was removed.
    package let mine: String?
    package let theirs: String?
  }

  /// The merged definition as JSON text, laid out like theirs.
  package var text: String { String(decoding: editor.text, as: UTF8.self) }
  /// The parts that both edited.
  package private(set) var conflicts: [Conflict] = []

  private var editor: JSONEditor
  private let mine: JSONEditor
  /// The ids of the conflicts of which their side is taken, in place of mine.
  private let taken: Set<String>

  /// Merges two definitions.
  ///
  /// - Parameters:
  ///   - base: The definition that both edited, as JSON text.
  ///   - mine: One edited definition.
  ///   - theirs: The other one.
  ///   - taken: The ids of the conflicts of which their side is taken; of all others mine is.
  /// - Throws: A parse error if one of them is not JSON.
  package init(
    base: String, mine: String, theirs: String, takingTheirsOf taken: Set<String> = []
  ) throws(FlagError) {
    editor = try JSONEditor(Array(theirs.utf8))
    self.mine = try JSONEditor(Array(mine.utf8))
    self.taken = taken
    let values = (
      try FlagValue.reading(json: base), try FlagValue.reading(json: mine), try FlagValue.reading(json: theirs)
    )
    try merge(Sides(base: values.0, mine: values.1, theirs: values.2), at: .root)
  }

  /// A part in the three definitions; nil if it is not there.
  private struct Sides {
    var base: FlagValue?
    var mine: FlagValue?
    var theirs: FlagValue?

    /// Whether mine adds nothing to theirs.
    var isSettled: Bool { Self.areSame(mine, theirs) || Self.areSame(base, mine) }
    var isMine: Bool { Self.areSame(base, theirs) }

    func member(_ name: String) -> Sides {
      Sides(base: base?.fields?.member(name), mine: mine?.fields?.member(name), theirs: theirs?.fields?.member(name))
    }

    private static func areSame(_ one: FlagValue?, _ other: FlagValue?) -> Bool {
      switch (one, other) {
      case (nil, nil): true
      case (let one?, let other?): one.isIdentical(to: other)
      default: false
      }
    }
  }

  private static let objects: Set = ["variants", "metadata"]

  private mutating func merge(_ sides: Sides, at path: DocumentPath) throws(FlagError) {
    if sides.isSettled { return }
    if sides.isMine { return try take(path) }
    let name = path.name
    if path.count == 0 || path.count == 1 && name.map(Self.objects.contains) == true,
      let mine = sides.mine?.fields, let theirs = sides.theirs?.fields, let base = sides.base?.fields
    {
      for name in Set(mine.keys).union(theirs.keys).union(base.keys).sorted() {
        try merge(sides.member(name), at: path.appending(name))
      }
      return
    }
    if path.count == 1, name == "targeting" { return try mergeRule(sides, at: path, "rule") }
    try conflict(sides, at: path, path.words)
  }

  private mutating func conflict(_ sides: Sides, at path: DocumentPath, _ part: String) throws(FlagError) {
    let id = "\(path)"
    conflicts.append(
      Conflict(id: id, part: part, mine: sides.mine?.description, theirs: sides.theirs?.description))
    if !taken.contains(id) { try take(path) }
  }

  /// Takes a part as mine has it.
  private mutating func take(_ path: DocumentPath) throws(FlagError) {
    guard let source = mine.source(of: path) else {
      if editor.range(of: path) != nil { try editor.remove(path) }
      return
    }
    guard let name = path.name else { return try editor.replace(path, with: source.unindented) }
    try editor.setMember(name, source.unindented, in: path.prefix(path.count - 1))
  }

  // MARK: - Rules

  /// Merges a rule by the branches of its `if`; a rule of another form is one part.
  private mutating func mergeRule(_ sides: Sides, at path: DocumentPath, _ part: String) throws(FlagError) {
    if sides.isSettled { return }
    if sides.isMine { return try take(path) }
    guard let base = sides.base?.operation, let mine = sides.mine?.operation, let theirs = sides.theirs?.operation,
      Set([base.name, mine.name, theirs.name]) == ["if"], base.arguments.count == mine.arguments.count,
      base.arguments.count == theirs.arguments.count,
      ![mine, theirs].contains(where: { Self.movesBranches($0.arguments, of: base.arguments) })
    else { return try conflict(sides, at: path, part) }
    let list = path.appending("if")
    let count = base.arguments.count
    for start in stride(from: 0, to: count, by: 2) {
      if start + 1 == count {
        let rest = Sides(base: base.arguments[start], mine: mine.arguments[start], theirs: theirs.arguments[start])
        try mergeRule(rest, at: list.appending(start), "\(part), otherwise")
      } else {
        try mergeBranch(
          [base, mine, theirs].map { Array($0.arguments[start..<start + 2]) }, start, in: list,
          "\(part), branch \(start / 2 + 1)")
      }
    }
  }

  /// Returns whether a branch of a rule is in another one's place in an edited rule, as after it was moved.
  private static func movesBranches(_ edited: [FlagValue], of base: [FlagValue]) -> Bool {
    let places = stride(from: 0, to: base.count - 1, by: 2)
    let known = Set(places.map { base[$0] })
    return places.contains { !edited[$0].isIdentical(to: base[$0]) && known.contains(edited[$0]) }
  }

  /// Merges a branch: its condition and its outcome are one part.
  private mutating func mergeBranch(
    _ pairs: [[FlagValue]], _ start: Int, in list: DocumentPath, _ part: String
  ) throws(FlagError) {
    let sides = Sides(base: .array(pairs[0]), mine: .array(pairs[1]), theirs: .array(pairs[2]))
    if sides.isSettled { return }
    let paths = [list.appending(start), list.appending(start + 1)]
    if !sides.isMine {
      let id = "\(paths[0])"
      func words(_ pair: [FlagValue]) -> String { "if \(pair[0]), then \(pair[1])" }
      conflicts.append(Conflict(id: id, part: part, mine: words(pairs[1]), theirs: words(pairs[2])))
      if taken.contains(id) { return }
    }
    for path in paths { try take(path) }
  }
}

extension DocumentPath {
  /// The name of the member that the path leads to; nil if it leads to none.
  package var name: String? { if case .member(let name)? = steps.last { name } else { nil } }

  /// The path of a flag's part in words: "variant blue".
  fileprivate var words: String {
    guard let name else { return "the flag" }
    guard count == 2 else { return name }
    return "\(prefix(1).name == "variants" ? "variant" : "metadata") \(name)"
  }
}
