package import FlagDefinitions
public import FlagDomain
import FlagJSON
import FlagReview

/// A variant of an edited definition.
public struct VariantDraft: Hashable, Sendable {
  /// The name in the document; nil for a new variant.
  public let writtenName: String?
  /// The name.
  public var name: String
  /// The value.
  public var value: FlagValue

  /// Creates a variant as the document has it.
  init(writtenAs variant: FlagVariant) {
    (writtenName, name, value) = (variant.name, variant.name, variant.value)
  }

  /// Creates a variant with the name that it has in the document; nil for a new variant.
  public init(writtenAs writtenName: String?, _ name: String, _ value: FlagValue) {
    (self.writtenName, self.name, self.value) = (writtenName, name, value)
  }
}

extension DefinitionDraft {
  /// The names of the variants, sorted.
  public var variants: [String] { variantDrafts.map(\.name).sorted() }

  /// The type of the variants; boolean if there are none.
  package var variantKind: VariantKind { variantDrafts.first?.value.variantKind ?? .boolean }

  /// Returns the parts of the draft that use a variant; the default alone if the rule is not JSON.
  ///
  /// Shared rules are not searched: a review finds what they give.
  public func uses(ofVariant name: String) -> [VariantUse] { usesOfVariants(name) }

  /// Returns the parts of the draft that use a variant, of any number of variants in one pass over the rule.
  package var usesOfVariants: (String) -> [VariantUse] {
    var uses = VariantUse.Index()
    do throws(FlagError) {
      let rule = rule.isBlank ? .null : try FlagValue.reading(json: rule)
      uses = VariantUse.Index(ofRule: rule, at: DocumentPath.root.appending("targeting"))
    } catch {
      // A rule that is not JSON uses nothing.
    }
    let standard = VariantUse(part: .defaultVariant, path: DocumentPath.root.appending("defaultVariant"))
    return { [defaultVariant] name in
      (defaultVariant?.isIdentical(to: name) == true ? [standard] : []) + uses[name]
    }
  }

  /// Adds a variant with a name that is free, and the usual value of its type.
  public mutating func addVariant() {
    let usual = variantKind == .boolean ? ["on", "off"] : []
    let numbered = (variantDrafts.count + 1...2 * variantDrafts.count + 1).map { "variant-\($0)" }
    let name = (usual + numbered).first { name in !variants.contains(name) } ?? "variant"
    variantDrafts.append(VariantDraft(writtenAs: nil, name, variantKind.usualValue(named: name)))
  }

  /// Writes other names in place of variants' in the default and in the rule, all at once.
  ///
  /// - Throws: A parse error if the rule is not JSON.
  package mutating func rewriteUses(_ names: [(old: String, new: String)]) throws(FlagError) {
    guard !names.isEmpty else { return }
    if !rule.isBlank { rule = try DefinitionEdit.renamingVariants(names, inRule: rule) }
    if let name = names.first(where: { defaultVariant?.isIdentical(to: $0.old) == true }) { defaultVariant = name.new }
  }

  /// The names that the draft gives although it has no such variants, as after one was removed.
  public var missingVariants: [String] {
    var names = [defaultVariant].compactMap { $0 }
    do throws(FlagError) {
      if !rule.isBlank { names += VariantUse.names(inRule: try FlagValue.reading(json: rule)) }
    } catch {
      // A rule that is not JSON gives no names.
    }
    var known: Set<String> = []
    return names.filter { name in
      known.insert(name).inserted && !variantDrafts.contains { $0.name.isIdentical(to: name) }
    }
  }
}

extension VariantKind {
  /// Returns the value of a new variant.
  package func usualValue(named name: String) -> FlagValue {
    switch self {
    case .boolean: .bool(name != "off")
    case .number: 0
    case .string: .string("")
    case .object: [:]
    }
  }
}

extension DefinitionDraft {
  /// Returns the edits of the variants from an older draft.
  func variantEdits(from old: DefinitionDraft) -> [DefinitionEdit] {
    var edits: [DefinitionEdit] = []
    var kept: Set<String> = []
    for variant in variantDrafts {
      // A new variant may have the name of one that goes: then that one gets the new value.
      let written = variant.writtenName ?? variant.name
      guard let before = old.variantDrafts.first(where: { $0.name.isIdentical(to: written) }),
        variant.writtenName != nil || !variantDrafts.contains(where: { $0.writtenName == written }),
        kept.insert(written).inserted
      else {
        edits.append(.addVariant(FlagVariant(variant.name, variant.value), of: key))
        continue
      }
      if !variant.name.isIdentical(to: written) {
        edits.append(.renameVariant(written, to: variant.name, of: key, rewritesUses: false))
      }
      if !variant.value.isIdentical(to: before.value) {
        edits.append(.setVariant(FlagVariant(variant.name, variant.value), of: key))
      }
    }
    return edits
      + old.variants.filter { !kept.contains($0) }.map { .removeVariant($0, of: key, replacement: nil) }
  }
}
