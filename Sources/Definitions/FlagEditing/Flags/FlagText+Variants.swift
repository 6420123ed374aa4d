import FlagDefinitions
package import FlagDomain
import FlagJSON
import FlagReview

extension FlagText {
  private static let variants = DocumentPath.root.appending("variants")

  mutating func add(_ variant: FlagVariant, to key: String) throws(FlagError) {
    try setVariants(variantDrafts(of: key) + [VariantDraft(writtenAs: nil, variant.name, variant.value)], of: key)
  }

  mutating func set(_ variant: FlagVariant, of key: String) throws(FlagError) {
    var drafts = try variantDrafts(of: key)
    drafts[try drafts.index(of: variant.name)].value = variant.value
    try setVariants(drafts, of: key)
  }

  mutating func renameVariant(
    _ name: String, to newName: String, of key: String, rewritesUses: Bool
  ) throws(FlagError) {
    var drafts = try variantDrafts(of: key)
    drafts[try drafts.index(of: name)].name = newName
    try setVariants(drafts, of: key, rewriting: rewritesUses ? [(name, newName)] : [])
  }

  mutating func removeVariant(_ name: String, of key: String, replacement: String?) throws(FlagError) {
    var drafts = try variantDrafts(of: key)
    drafts.remove(at: try drafts.index(of: name))
    if let replacement { _ = try drafts.index(of: replacement) }
    try setVariants(drafts, of: key, rewriting: replacement.map { [(name, $0)] } ?? [])
  }

  /// Gives a flag other variants, all at once, so that two can exchange their names.
  ///
  /// - Parameters:
  ///   - drafts: The variants; the order of those that are written already stays.
  ///   - key: The flag's key.
  ///   - names: Names of variants to replace wherever the flag uses them.
  /// - Throws: An error if a name or a value cannot be, or if something uses a variant that goes.
  package mutating func setVariants(
    _ drafts: [VariantDraft], of key: String, rewriting names: [(old: String, new: String)] = []
  ) throws(FlagError) {
    let old = try variants(of: key)
    var (removed, changes) = (old, [(draft: VariantDraft, old: FlagVariant?)]())
    for (index, draft) in drafts.enumerated() {
      // A new variant may have the name of one that goes: then that one gets the new value.
      let name = draft.writtenName ?? draft.name
      let isNew = draft.writtenName == nil && drafts.contains { $0.writtenName?.isIdentical(to: name) == true }
      let written = isNew ? nil : removed.lastIndex { $0.name.isIdentical(to: name) }
      let change = (draft, written.map { removed.remove(at: $0) })
      let others = drafts.enumerated().filter { $0.offset != index }.map { FlagVariant($1.name, $1.value) }
      let variant = FlagVariant(draft.name, draft.value)
      if change.1?.name.isIdentical(to: draft.name) != true { try variant.checkName(among: others.map(\.name)) }
      if change.1?.value.isIdentical(to: draft.value) != true { try variant.checkKind(like: others.first) }
      changes.append(change)
    }
    if changes.isEmpty, let last = old.last {
      throw FlagError(.general, "expected a flag with another variant, found \(last.name.quoted) as the only one")
    }
    try rewriteUses(names, of: key)
    for variant in old where !drafts.contains(where: { $0.name.isIdentical(to: variant.name) }) {
      try checkUnused(variant.name, of: key)
    }
    let renamed = changes.filter { $0.old?.name.isIdentical(to: $0.draft.name) != true }
    let longest = (old.map(\.name) + drafts.map(\.name)).map(\.utf8.count).max() ?? 0
    // Names that no variant has, so that names can be exchanged.
    let free = renamed.indices.map { Self.variants.appending(String(repeating: "-", count: longest + 1 + $0)) }
    try edit(key) { editor throws(FlagError) in
      for (change, path) in zip(renamed, free) {
        if let old = change.old {
          try editor.renameMember(Self.variants.appending(old.name), to: path.name ?? "")
        } else {
          try editor.setMember(path.name ?? "", change.draft.value.jsonString(), in: Self.variants)
        }
      }
      for variant in removed { try editor.remove(Self.variants.appending(variant.name)) }
      for (change, path) in zip(renamed, free) { try editor.renameMember(path, to: change.draft.name) }
      for case (let draft, let old?) in changes where !old.value.isIdentical(to: draft.value) {
        try editor.replace(Self.variants.appending(draft.name), with: draft.value.jsonString())
      }
    }
  }

  // MARK: - Uses of a variant

  /// Returns the parts of a flag that use a variant, with their places in the document, or below another path.
  func uses(ofVariant name: String, of key: String, at path: DocumentPath? = nil) throws(FlagError) -> [VariantUse] {
    let path = path ?? Self.flags.appending(key)
    var uses: [VariantUse] = []
    if case .string(let standard)? = try value(of: "defaultVariant", in: key), standard.isIdentical(to: name) {
      uses.append(VariantUse(part: .defaultVariant, path: path.appending("defaultVariant")))
    }
    guard let rule = try value(of: "targeting", in: key), rule.fields?.isEmpty == false else { return uses }
    var subjects = BucketingIndex()
    let evaluators = EvaluatorIndex(rule.refersToRules ? try self.evaluators : [:], subjects: &subjects)
    return uses
      + VariantUse.all(ofVariant: name, inRule: rule, at: path.appending("targeting")) { name in
        let facts = evaluators.facts(of: name)
        return (Array(facts.results), facts.isOpen)
      }
  }

  /// Checks that a flag does not use a variant, or not in some ways.
  ///
  /// - Throws: An error that lists the uses.
  package func checkUnused(
    _ name: String, of key: String, where isRefused: (VariantUse) -> Bool = { _ in true }
  ) throws(FlagError) {
    let uses = try uses(ofVariant: name, of: key).filter { $0.isCertain && isRefused($0) }
    if !uses.isEmpty { throw FlagError(.general, "the variant \(name.quoted) is used: \(VariantUse.list(uses))") }
  }

  /// Puts other names in place of variants' wherever the flag uses them, all at once.
  ///
  /// - Throws: An error that lists the uses that cannot be rewritten.
  private mutating func rewriteUses(_ names: [(old: String, new: String)], of key: String) throws(FlagError) {
    var values: [(path: DocumentPath, json: String)] = []
    for name in names where !name.old.isIdentical(to: name.new) {
      try checkUnused(name.old, of: key) { !$0.isRewritable }
      values += try uses(ofVariant: name.old, of: key, at: .root).filter(\.isRewritable)
        .map { ($0.path, name.new.jsonLiteral) }
    }
    if values.isEmpty { return }
    try edit(key) { editor throws(FlagError) in editor = try JSONEditor(editor.text.replacingScalars(values)) }
  }

  /// Returns whether users may fall into other shares if the flag has another key.
  func splitsByKey(_ key: String) throws(FlagError) -> Bool {
    var subjects = BucketingIndex()
    let shared = try evaluators
    let rule = try value(of: "targeting", in: key) ?? .null
    var checker = RuleChecker(evaluators: KnownNames(shared.keys))
    checker.check(rule, at: .root)
    let used = EvaluatorIndex(shared, subjects: &subjects).closure(of: checker.references.map(\.name))
    return ([rule] + used.compactMap { shared[$0] }).contains(where: \.readsFlagKey)
  }
}

extension DefinitionEdit {
  /// Returns whether a flag's rule assigns users to shares by the flag's key, so that a copy or a renamed flag has
  /// other users in each share.
  ///
  /// - Throws: An error if the document cannot be read, or has no such flag.
  package static func splitsByKey(_ key: String, in text: [UInt8]) throws(FlagError) -> Bool {
    try FlagText(text).splitsByKey(key)
  }

  /// Returns a rule's text with other names in place of variants', wherever the rule gives them.
  ///
  /// - Throws: A parse error if the rule is not JSON.
  package static func renamingVariants(
    _ names: [(old: String, new: String)], inRule text: String
  ) throws(FlagError) -> String {
    let rule = try FlagValue.reading(json: text)
    let uses = names.flatMap { name in
      VariantUse.all(ofVariant: name.old, inRule: rule, at: .root).filter(\.isRewritable)
        .map { (path: $0.path, json: name.new.jsonLiteral) }
    }
    return String(decoding: Array(text.utf8).replacingScalars(uses), as: UTF8.self)
  }
}

extension VariantUse {
  fileprivate static func list(_ uses: [VariantUse]) -> String {
    let shown = uses.prefix(5).map(\.description).joined(separator: ", ")
    return uses.count > 5 ? "\(shown) and \(uses.count - 5) more" : shown
  }
}

// MARK: - Reading

extension FlagText {
  /// Returns the variants of a flag, in the order of the text.
  package func variants(of key: String) throws(FlagError) -> [FlagVariant] {
    guard let values = try value(of: "variants", in: key)?.fields else {
      let path = Self.flags.appending(key).appending("variants")
      throw FlagError(.general, "\(path): expected an object with at least one variant")
    }
    let names = try JSONEditor(source(of: key)).names(in: Self.variants)
    return names.compactMap { name in values.member(name).map { FlagVariant(name, $0) } }
  }

  /// Returns the variants of a flag, to be edited.
  package func variantDrafts(of key: String) throws(FlagError) -> [VariantDraft] {
    try variants(of: key).map(VariantDraft.init(writtenAs:))
  }
}

extension [VariantDraft] {
  /// Returns the index of the variant with a name.
  ///
  /// - Throws: An error that lists the names if there is none.
  package func index(of name: String) throws(FlagError) -> Int {
    if let index = lastIndex(where: { $0.name.isIdentical(to: name) }) { return index }
    let names = prefix(20).map(\.name.excerpt).joined(separator: ", ")
    throw FlagError(.general, "expected one of the variants \(names), found \(name.quoted)")
  }
}

extension FlagValue {
  /// Whether a rule may refer to shared rules.
  fileprivate var refersToRules: Bool { contains { $0.fields?["$ref"] != nil } }

  /// Whether a rule hashes the flag's key, or reads it.
  fileprivate var readsFlagKey: Bool {
    contains { value in
      if value == "$flagd.flagKey" { return true }
      if case .array(let arguments)? = value.fields?["fractional"], case .array? = arguments.first { return true }
      return false
    }
  }
}

extension [UInt8] {
  /// Returns a JSON text with other values in place of those at some paths, in time proportional to the text.
  fileprivate func replacingScalars(_ values: [(path: DocumentPath, json: String)]) -> [UInt8] {
    var (text, end) = ([UInt8](), startIndex)
    let starts = zip(JSONLocator.offsets(of: values.map(\.path), in: self), values)
    for (start, value) in starts.sorted(by: { $0.0 < $1.0 }) where start >= end {
      text += self[end..<start]
      text += value.json.utf8
      end = JSONReader.read(self[start...]) { reader in
        do throws(JSONError) { return start + (try reader.skipValue().count) } catch { return start }
      }
    }
    return text + self[end...]
  }
}
