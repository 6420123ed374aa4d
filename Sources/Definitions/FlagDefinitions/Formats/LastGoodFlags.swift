package import FlagDomain

/// The last good definitions of the flags that are broken in a document, with what they were compiled with.
///
/// They are answered in place of the broken ones, with the reason `STALE`.
package struct LastGoodFlags: Sendable {
  private struct Part {
    let keys: Set<String>
    /// A document that has little more than the flags with the keys.
    let document: any DefinitionDocument

    /// Returns the part with those of its flags that have the keys; nil if none has.
    func excerpt(of keys: Set<String>) -> Self? {
      let left = self.keys.intersection(keys)
      if left.isEmpty { return nil }
      return left.count == self.keys.count ? self : Self(keys: left, document: document.excerpt(of: left))
    }
  }

  /// Those that broke together, by the numbers of the keys in `names`.
  private var parts: [Part] = []
  private var names = StringMap<Int>()

  package init() {}

  /// Finds the flags that a document breaks or leaves broken.
  ///
  /// - Parameters:
  ///   - document: The newest document.
  ///   - previous: The one before.
  ///   - kept: The last good definitions of what was broken in the one before.
  package init(for document: any DefinitionDocument, after previous: any DefinitionDocument, _ kept: LastGoodFlags) {
    let broken = document.brokenKeys
    if broken.isEmpty { return }
    let lost = broken.subtracting(previous.brokenKeys).filter { previous.listing(of: $0) != nil }
    parts = kept.parts.compactMap { $0.excerpt(of: broken) }
    if !lost.isEmpty { parts.append(Part(keys: lost, document: previous.excerpt(of: lost))) }
    for (number, part) in parts.enumerated() { for key in part.keys { names[key] = number } }
  }

  /// Whether no flag is broken that had a good definition before.
  package var isEmpty: Bool { parts.isEmpty }

  private func document(of key: String) -> (any DefinitionDocument)? { names[key].map { parts[$0].document } }

  /// Evaluates a flag by its last good definition; returns nil if it has none, because it is not broken.
  package func answer(
    for key: FlagKey, in context: EvaluationContext, at moment: Int64?, now: () -> Int64
  ) throws(FlagError) -> FlagAnswer? {
    var answer = try document(of: key.name)?.evaluate(key, in: context, at: moment, now: now)
    answer?.reason = .stale
    return answer
  }

  /// Evaluates a flag by its last good definition; returns nil if it has none, because it is not broken.
  package func answer(
    for key: String, in context: EvaluationContext, at seconds: Int64
  ) throws(FlagError) -> FlagAnswer? {
    var answer = try document(of: key)?.evaluate(key, in: context, at: seconds)
    answer?.reason = .stale
    return answer
  }

  /// Returns a flag's last good definition as servers list it; nil if it has none.
  package func listing(of key: String) -> ListedFlag? { document(of: key)?.listing(of: key) }

  /// The documents of the definitions.
  package var documents: [any DefinitionDocument] { parts.map(\.document) }
}
