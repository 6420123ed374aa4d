package import FlagDomain
import FlagJSON
import FlagReview

extension EditableRule {
  /// Returns the rule with edits; everything else keeps its bytes, and so does a part that is set to its present value.
  ///
  /// Edits of values keep all ids, so that they may come together in any order, also before one that adds, removes or
  /// moves something. After such a one, the ids are those of its result.
  ///
  /// - Throws: An error if there is no part with an id, if a value does not suit it, or if JSON cannot be parsed.
  package func applying(_ edits: [RuleEdit]) throws(FlagError) -> EditableRule {
    var rule = self
    var values: [RuleEdit] = []
    for edit in edits {
      if edit.keepsIDs {
        values.append(edit)
      } else {
        rule = try rule.applyingTogether(values).applyingTogether([edit])
        values = []
      }
    }
    return try rule.applyingTogether(values)
  }

  private func applyingTogether(_ edits: [RuleEdit]) throws(FlagError) -> EditableRule {
    if edits.isEmpty { return self }
    var editor = try RuleEditor(self)
    for edit in try editor.innermostFirst(edits) { try editor.apply(edit) }
    return try editor.result
  }
}

extension RuleEdit {
  fileprivate var keepsIDs: Bool {
    switch self {
    case .setTest, .setShared, .setConditionJSON, .setGroup, .setOutcome: true
    case .addCondition, .addGroup, .removeCondition, .addBranch, .removeBranch, .moveBranch: false
    }
  }
}

/// Edits the text of a rule.
struct RuleEditor {
  let rule: EditableRule
  let parts: RuleParts
  var editor: JSONEditor
  /// The rule's text; an object for an empty one.
  private let original: String
  /// Whether the rule is written without spaces.
  private let isCompact: Bool

  init(_ rule: EditableRule) throws(FlagError) {
    self.rule = rule
    parts = RuleParts(rule)
    original = rule.text.allSatisfy(\.isWhitespace) ? "{}" : rule.text
    editor = try JSONEditor(Array(original.utf8))
    isCompact = rule.text.contains("\":") && !rule.text.contains("\": ")
  }

  /// The rule after the edits: no text if it chooses nothing, and otherwise an object, as documents require.
  var result: EditableRule {
    get throws(FlagError) {
      let text = String(decoding: editor.text, as: UTF8.self)
      if text.isIdentical(to: original) { return rule }
      let isObject = editor.range(of: .root).map { editor.text[$0.lowerBound] == UInt8(ascii: "{") } ?? false
      let result = try EditableRule(isObject ? text : "\(opening("if"))\(text)]}")
      return result.choosesNothing ? try EditableRule("") : result
    }
  }

  /// Returns edits in an order in which none moves a part that a later one is about.
  func innermostFirst(_ edits: [RuleEdit]) throws(FlagError) -> [RuleEdit] {
    if edits.count == 1 { return edits }
    var levels: [(edit: RuleEdit, level: Int)] = []
    for edit in edits { levels.append((edit, try parts.level(of: edit))) }
    return levels.sorted { $0.level > $1.level }.map(\.edit)
  }

  /// Returns a value as JSON on one line, with spaces like the rule's.
  func line(_ value: FlagValue) throws(FlagError) -> String {
    let text = try value.jsonString()
    return isCompact ? text : try JSONFormatter.laidOut(text, width: .max)
  }

  /// Returns the beginning of an operator with its operands.
  func opening(_ name: String) -> String { "{\"\(name)\":\(isCompact ? "" : " ")[" }

  var comma: String { isCompact ? "," : ", " }
}

extension EditableRule {
  fileprivate var choosesNothing: Bool { branches.isEmpty && otherwise.content == .defaultVariant }
}

// MARK: - Text

extension RuleEditor {
  /// Returns the value at a path.
  func node(at path: DocumentPath) throws(FlagError) -> RuleNode {
    try RuleNode(editor.text[try range(of: path)])
  }

  private func range(of path: DocumentPath) throws(FlagError) -> Range<Int> {
    guard let range = editor.range(of: path) else { throw FlagError(.general, "\(path): expected a value, found none") }
    return range
  }

  /// Replaces a value by the bytes of a part of it.
  mutating func replace(_ path: DocumentPath, withPart part: DocumentPath) throws(FlagError) {
    var text = editor.text
    text.replaceSubrange(try range(of: path), with: editor.text[try range(of: part)])
    editor = try JSONEditor(text)
  }

  /// Puts text before and after a value.
  mutating func wrap(_ path: DocumentPath, _ beginning: String, _ end: String) throws(FlagError) {
    let range = try range(of: path)
    let value = editor.text[range]
    var text = editor.text
    text.replaceSubrange(range, with: beginning.utf8 + value + end.utf8)
    editor = try JSONEditor(text)
  }

  /// Changes a value to another; parts that are equal keep their bytes.
  mutating func set(_ path: DocumentPath, to value: FlagValue) throws(FlagError) {
    try change(path, from: try node(at: path), to: value)
  }

  private mutating func change(_ path: DocumentPath, from old: RuleNode, to new: FlagValue) throws(FlagError) {
    switch (old.content, new) {
    case (.scalar(let old), _) where old == new: return
    case (.object, .object(let members)):
      guard members.count == 1, let (newName, value) = members.first, old.operation != nil else { break }
      return try changeOperation(path, from: old, to: newName, value)
    case (.array(let elements), .array(let values)):
      if try changeElements(of: path, from: elements, to: values) { return }
    default: break
    }
    try editor.replace(path, with: try line(new))
  }

  /// Changes an operator and its argument; one that is negated, or no longer, keeps its bytes, too.
  private mutating func changeOperation(
    _ path: DocumentPath, from old: RuleNode, to name: String, _ new: FlagValue
  ) throws(FlagError) {
    guard let (oldName, argument) = old.operation else { return }
    if name == "!", oldName != name, new.fields?.keys.first == oldName {
      try wrap(path, isCompact ? "{\"!\":" : "{\"!\": ", "}")
      return try change(path.appending(name), from: old, to: new)
    }
    if oldName == "!", argument.operands.count == 1, argument.operands[0].operation?.name == name {
      let inner = path.appending(oldName)
      try replace(path, withPart: argument.elements == nil ? inner : inner.appending(0))
      return try changeOperation(path, from: argument.operands[0], to: name, new)
    }
    if oldName != name { try editor.renameMember(path.appending(oldName), to: name) }
    try change(path.appending(name), from: argument, to: new)
  }

  /// Changes the elements between those at the beginning and at the end that stay; returns whether they are few enough.
  private mutating func changeElements(
    of path: DocumentPath, from old: [RuleNode], to new: [FlagValue]
  ) throws(FlagError) -> Bool {
    let start = zip(old, new).prefix { $0.value == $1 }.count
    let rest = zip(old.dropFirst(start).reversed(), new.dropFirst(start).reversed())
    let end = rest.prefix { $0.value == $1 }.count
    let (oldEnd, newEnd) = (old.count - end, new.count - end)
    guard max(oldEnd, newEnd) - start <= Self.maximumElements else { return false }
    for index in start..<min(oldEnd, newEnd) {
      try change(path.appending(index), from: old[index], to: new[index])
    }
    for index in (min(oldEnd, newEnd)..<oldEnd).reversed() { try editor.remove(path.appending(index)) }
    for index in min(oldEnd, newEnd)..<newEnd { try editor.insert(try line(new[index]), at: index, in: path) }
    return true
  }

  /// The maximum number of elements of an array to change one by one, which takes time for each.
  private static let maximumElements = 256
}
