package import FlagDomain

/// A variant of an edited definition.
package struct VariantDraft: Hashable, Sendable {
  /// The name in the document; nil for a new variant.
  package let writtenName: String?
  /// The name.
  package var name: String
  /// The value.
  package var value: FlagValue

  /// Creates a variant as the document has it.
  init(writtenAs variant: FlagVariant) {
    (writtenName, name, value) = (variant.name, variant.name, variant.value)
  }

  /// Creates a variant with the name that it has in the document; nil for a new variant.
  package init(writtenAs writtenName: String?, _ name: String, _ value: FlagValue) {
    (self.writtenName, self.name, self.value) = (writtenName, name, value)
  }

  func isIdentical(to other: VariantDraft) -> Bool {
    writtenName.map(FlagValue.string) == other.writtenName.map(FlagValue.string) && name.isIdentical(to: other.name)
      && value.isIdentical(to: other.value)
  }
}
