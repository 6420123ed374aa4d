import FlagDefinitions
public import FlagDomain
import FlagJSON
import FlagReview

extension FlagText {
  private static let variants = DocumentPath.root.appending("variants")

  mutating func add(_ variant: FlagVariant, to key: String) throws(FlagError) {
    let others = try variants(of: key)
    try variant.checkName(among: others.map(\.name))
    try variant.checkKind(like: others.first)
    let json = try variant.value.jsonString()
    try edit(key) { editor throws(FlagError) in try editor.setMember(variant.name, json, in: Self.variants) }
  }

  mutating func set(_ variant: FlagVariant, of key: String) throws(FlagError) {
    let variants = try variants(of: key)
    let index = try variants.index(of: variant.name)
    try variant.checkKind(like: variants.indices.first { $0 != index }.map { variants[$0] })
    if variants[index].value.isIdentical(to: variant.value) { return }
    let json = try variant.value.jsonString()
    try edit(key) { editor throws(FlagError) in
      try editor.replace(Self.variants.appending(variant.name), with: json)
    }
  }

  mutating func renameVariant(
    _ name: String, to newName: String, of key: String, rewritesUses: Bool
  ) throws(FlagError) {
    var others = try variants(of: key)
    let variant = FlagVariant(newName, others.remove(at: try others.index(of: name)).value)
    if name.isIdentical(to: newName) { return }
    try variant.checkName(among: others.map(\.name))
    try rewriteUses(ofVariant: name, of: key, to: rewritesUses ? newName : nil)
    try edit(key) { editor throws(FlagError) in
      try editor.renameMember(Self.variants.appending(name), to: newName)
    }
  }

  mutating func removeVariant(_ name: String, of key: String, replacement: String?) throws(FlagError) {
    var others = try variants(of: key)
    others.remove(at: try others.index(of: name))
    if others.isEmpty {
      throw FlagError(.general, "expected a flag with another variant, found \(name.quoted) as the only one")
    }
    if let replacement { _ = try others.index(of: replacement) }
    try rewriteUses(ofVariant: name, of: key, to: replacement)
    try edit(key) { editor throws(FlagError) in try editor.remove(Self.variants.appending(name)) }
  }
}

// MARK: - Uses of a variant

extension FlagText {
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

  /// Puts another name in place of a variant's wherever the flag uses it.
  ///
  /// - Throws: An error that lists the uses if there is no other name, or if a use cannot be rewritten.
  private mutating func rewriteUses(ofVariant name: String, of key: String, to newName: String?) throws(FlagError) {
    let refusing = try uses(ofVariant: name, of: key).filter { $0.isCertain && (newName == nil || !$0.isRewritable) }
    guard refusing.isEmpty, let newName else {
      guard !refusing.isEmpty else { return }
      throw FlagError(.general, "the variant \(name.quoted) is used: \(VariantUse.list(refusing))")
    }
    let uses = try uses(ofVariant: name, of: key, at: .root).filter(\.isRewritable)
    try edit(key) { editor throws(FlagError) in
      editor = try JSONEditor(editor.text.replacingScalars(uses.map { ($0.path, newName.jsonLiteral) }))
    }
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
  public static func splitsByKey(_ key: String, in text: [UInt8]) throws(FlagError) -> Bool {
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
}

extension [FlagVariant] {
  /// Returns the index of the variant with a name.
  ///
  /// - Throws: An error that lists the names if there is none.
  fileprivate func index(of name: String) throws(FlagError) -> Int {
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

  /// Returns whether a part satisfies a condition; without recursion, because values can nest deeply.
  private func contains(_ condition: (FlagValue) -> Bool) -> Bool {
    var rest = [self]
    while let value = rest.popLast() {
      if condition(value) { return true }
      switch value {
      case .array(let elements): rest += elements
      case .object(let members): rest += members.values
      case .null, .bool, .int, .double, .string: break
      }
    }
    return false
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
