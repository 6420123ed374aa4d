package import FlagDomain
import FlagJSON

struct FlagReader {
  let key: String
  private let flags: DocumentPath
  private(set) var diagnostics: [UnlocatedDiagnostic] = []
  /// The flag's path, created on first use and only once, because most flags have no errors.
  private lazy var path = flags.appending(key)

  init(key: String, in flags: DocumentPath) {
    self.key = key
    self.flags = flags
  }

  mutating func read(
    _ value: FlagValue, compiler: inout RuleCompiler, recentVariants: inout RecentVariants
  ) -> FlagContent? {
    guard case .object(let fields) = value else {
      diagnostics.expect("an object with a flag's \"state\" and \"variants\"", at: path, found: value)
      return nil
    }
    let isEnabled = state(fields["state"])
    let variants = variants(fields["variants"], compiler: &compiler)
    let defaultVariant = defaultVariant(fields["defaultVariant"])
    let targeting = targeting(fields["targeting"])
    let metadata = metadata(fields["metadata"])
    guard diagnostics.isEmpty else { return nil }
    return FlagContent(
      isEnabled: isEnabled, variants: recentVariants.sharing(variants), defaultVariant: defaultVariant,
      rule: targeting.map { compiler.rule($0) }, metadata: metadata)
  }

  private mutating func state(_ value: FlagValue?) -> Bool {
    if value == "ENABLED" { return true }
    if value != "DISABLED" { expect("\"ENABLED\" or \"DISABLED\"", at: "state", found: value) }
    return false
  }

  private mutating func variants(
    _ value: FlagValue?, compiler: inout RuleCompiler
  ) -> [FlagDefinition.Variant] {
    guard case .object(let fields) = value, !fields.isEmpty else {
      expect("an object with at least one variant", at: "variants", found: value)
      return []
    }
    // Sorted by name, so that equal documents compare equal.
    let variants = fields.inOrder.map {
      FlagDefinition.Variant(value: $0.value, name: $0.key, text: compiler.builder.text($0.key).map(UInt32.init))
    }
    checkKinds(of: variants)
    return variants
  }

  private mutating func checkKinds(of variants: [FlagDefinition.Variant]) {
    guard let kind = variants.first?.value.variantKind else {
      return expect("a value", of: variants.first)
    }
    for variant in variants where variant.value.variantKind != kind {
      expect("a value of the type \(kind.rawValue), as the other variants have", of: variant)
    }
  }

  /// Returns the default variant's name, or nil for the code's default: if it is missing, null or empty.
  private mutating func defaultVariant(_ value: FlagValue?) -> String? {
    switch value {
    case nil, .null, "": return nil
    case .string(let name): return name
    default:
      expect("the name of a variant or null", at: "defaultVariant", found: value)
      return nil
    }
  }

  /// Returns the rule, or nil if there is no rule: if it is missing, null or an empty object.
  private mutating func targeting(_ value: FlagValue?) -> FlagValue? {
    switch value {
    case nil, .null, .object([:]): return nil
    case .object: return value
    default:
      expect("a rule, which is an object", at: "targeting", found: value)
      return nil
    }
  }

  private mutating func metadata(_ value: FlagValue?) -> [String: FlagValue] {
    guard let value else { return [:] }
    return value.metadata(at: path.appending("metadata"), &diagnostics)
  }

  private mutating func expect(_ expected: String, at field: String, found value: FlagValue?) {
    diagnostics.expect(expected, at: path.appending(field), found: value)
  }

  private mutating func expect(_ expected: String, of variant: FlagDefinition.Variant?) {
    guard let variant else { return }
    diagnostics.expect(expected, at: path.appending("variants").appending(variant.name), found: variant.value)
  }
}

/// The type that all variants of a flag have.
package enum VariantKind: String, CaseIterable, Sendable {
  case boolean, number, string, object
}

extension FlagValue {
  /// Returns the metadata in a value, and adds a diagnostic for each member that is no string, number or boolean.
  func metadata(at path: DocumentPath, _ diagnostics: inout [UnlocatedDiagnostic]) -> [String: FlagValue] {
    guard case .object(let fields) = self else {
      diagnostics.expect("an object with metadata by its names", at: path, found: self)
      return [:]
    }
    for (name, value) in fields.inOrder where !value.isMetadata {
      diagnostics.expect("a string, a number or a boolean", at: path.appending(name), found: value)
    }
    return fields.filter { $0.value.isMetadata }
  }

  private var isMetadata: Bool { self != .null && !hasParts }

  package var variantKind: VariantKind? {
    switch self {
    case .null: nil
    case .bool: .boolean
    case .int, .double: .number
    case .string: .string
    case .array, .object: .object
    }
  }
}
