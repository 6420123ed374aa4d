import FlagDomain

/// Makes a flag of the value that stands in a document, or notes why it is none.
struct FlagReader {
  let key: String
  let path: JSONPath
  private(set) var remarks: [Remark] = []

  init(key: String, path: JSONPath) {
    self.key = key
    self.path = path
  }

  /// Returns the flag, or nil where something about it is wrong.
  mutating func read(
    _ value: FlagValue, sharing shared: [String: FlagValue], compiler: inout RuleCompiler
  ) -> FlagDefinition? {
    guard case .object(let fields) = value else {
      remarks.append(Remark(path, expected: "an object with a flag's \"state\" and \"variants\"", found: value))
      return nil
    }
    let isEnabled = state(fields["state"])
    let variants = variants(fields["variants"])
    let defaultVariant = defaultVariant(fields["defaultVariant"])
    let targeting = targeting(fields["targeting"])
    let metadata = metadata(fields["metadata"])
    guard remarks.isEmpty else { return nil }
    return FlagDefinition(
      key: key, isEnabled: isEnabled, variants: variants, defaultVariant: defaultVariant,
      rule: targeting.map { compiler.rule($0) },
      metadata: metadata.isEmpty ? shared : shared.merging(metadata) { _, own in own })
  }
}

extension FlagReader {
  private mutating func state(_ value: FlagValue?) -> Bool {
    if value == "ENABLED" { return true }
    if value != "DISABLED" { expect("\"ENABLED\" or \"DISABLED\"", at: "state", found: value) }
    return false
  }

  private mutating func variants(_ value: FlagValue?) -> [FlagDefinition.Variant] {
    guard case .object(let fields) = value, !fields.isEmpty else {
      expect("an object with at least one variant", at: "variants", found: value)
      return []
    }
    // In the order of their names, so that equal documents are equal.
    let variants = fields.sorted { $0.key < $1.key }.map { FlagDefinition.Variant(name: $0.key, value: $0.value) }
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

  /// Nothing, null and an empty name say the same: the code's default stands.
  private mutating func defaultVariant(_ value: FlagValue?) -> String? {
    switch value {
    case nil, .null, "": return nil
    case .string(let name): return name
    default:
      expect("the name of a variant or null", at: "defaultVariant", found: value)
      return nil
    }
  }

  /// Nothing, null and an empty object say the same: there is no rule.
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
    value.map { FlagMetadataShape.read($0, at: path.appending("metadata"), remarks: &remarks) } ?? [:]
  }
}

extension FlagReader {
  private mutating func expect(_ expected: String, at field: String, found value: FlagValue?) {
    remarks.append(Remark(path.appending(field), expected: expected, found: value))
  }

  private mutating func expect(_ expected: String, of variant: FlagDefinition.Variant?) {
    guard let variant else { return }
    remarks.append(
      Remark(path.appending("variants").appending(variant.name), expected: expected, found: variant.value))
  }
}

/// The types that a flag's variants can have.
enum VariantKind: String {
  case boolean, number, string, object
}

extension FlagValue {
  /// The type of a variant with this value; nil for null, which is no variant's.
  var variantKind: VariantKind? {
    switch self {
    case .null: nil
    case .bool: .boolean
    case .int, .double: .number
    case .string: .string
    case .array, .object: .object
    }
  }
}
