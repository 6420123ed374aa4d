package import FlagDomain

/// A flag of a document, as whoever prepares or shows all of them sees it.
package struct ListedFlag: Sendable {
  package let key: String
  /// The values that it can have, by their names, in the order of those; none where the flag is malformed.
  package let variants: [(name: String, value: FlagValue)]
  package let metadata: [String: FlagValue]

  /// Whether the flag has numbers, and one of their numerals has a fraction or an exponent.
  package var isFractional: Bool {
    variants.contains { if case .double = $0.value { true } else { false } }
  }
}

extension FlagDocument {
  /// The flags, malformed ones included; the index of each is its number.
  package var listed: [ListedFlag] {
    flags.map { key, entry in
      switch entry {
      case .flag(let flag):
        ListedFlag(key: key, variants: flag.variants.map { ($0.name, $0.value) }, metadata: flag.metadata)
      case .malformed: ListedFlag(key: key, variants: [], metadata: [:])
      }
    }
  }

  /// Returns the number of the flag of a key, which is compared by its code units; nil where there is none.
  package func number(of key: String) -> Int? { flags.number(of: key) }

  /// Evaluates the flag of a number, as `evaluate(_:in:at:)` does that of a key.
  package func evaluate(
    number: Int, in context: EvaluationContext, at seconds: () -> Int64
  ) throws(FlagError) -> FlagAnswer {
    try flags.withFlag(number) { flag throws(FlagError) in try flag.evaluate(in: context, at: seconds) }
  }
}
