import FlagDomain

/// A flag as its document defines it, ready to be evaluated.
final class FlagDefinition: Sendable {
  /// A value that the flag can have, and its name.
  struct Variant: Hashable, Sendable {
    let name: String
    let value: FlagValue
  }

  let key: String
  /// Whether the flag is switched on.
  let isEnabled: Bool
  let variants: [Variant]
  let defaultVariant: String?
  /// The place of the default variant among the others; nil where there is none.
  let defaultIndex: Int?
  /// The rule that chooses the variant; nil where the default one always stands.
  let rule: Rule?
  /// The document's metadata, and over it the flag's.
  let metadata: [String: FlagValue]
  /// The answer to everyone; nil where it takes an evaluation to find one.
  let fixedAnswer: FlagAnswer?
  /// Whether the answer may change while nothing changes but the time.
  let dependsOnTime: Bool

  init(
    key: String, isEnabled: Bool, variants: [Variant], defaultVariant: String?, rule: Rule?,
    metadata: [String: FlagValue]
  ) {
    self.key = key
    self.isEnabled = isEnabled
    self.variants = variants
    self.defaultVariant = defaultVariant
    defaultIndex = defaultVariant.flatMap(variants.index(ofVariant:))
    self.rule = rule
    self.metadata = metadata
    dependsOnTime = rule?.dependsOnTime ?? false
    fixedAnswer =
      if !isEnabled {
        FlagAnswer(nil, reason: .disabled, metadata: metadata)
      } else if rule == nil, let variant = defaultIndex.map({ variants[$0] }) {
        FlagAnswer(variant.value, variant: variant.name, reason: .static, metadata: metadata)
      } else {
        nil
      }
  }
}

extension [FlagDefinition.Variant] {
  /// Returns the place of the variant of a name, or nil.
  func index(ofVariant name: String) -> Int? { indices.first { self[$0].name.isIdentical(to: name) } }
}

extension FlagDefinition: Equatable {
  static func == (left: FlagDefinition, right: FlagDefinition) -> Bool {
    left === right
      || left.key.isIdentical(to: right.key) && left.isEnabled == right.isEnabled && left.variants == right.variants
        && left.defaultVariant == right.defaultVariant && left.rule == right.rule && left.metadata == right.metadata
  }
}
