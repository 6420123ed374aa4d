package import FlagDefinitions
package import FlagDomain
import FlagJSON
import FlagReview

extension DefinitionDraft {
  /// The names of the variants, sorted.
  package var variants: [String] { variantDrafts.map(\.name).sorted() }

  /// The type of the variants; boolean if there are none.
  package var variantKind: VariantKind { variantDrafts.first?.value.variantKind ?? .boolean }

  /// Returns the parts of the draft that use a variant, of any number of variants in one pass over the rule.
  ///
  /// These are the default alone if the rule is not JSON.
  ///
  /// Shared rules are not searched: a review finds what they give.
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
  package mutating func addVariant() {
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
  package var missingVariants: [String] {
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
