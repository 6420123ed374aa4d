/// A correction of p-values for multiple comparisons.
///
/// The family is every comparison that could be reported as a finding: all metrics times all variants but the control.
/// Guardrails are not included, since they can only stop a change. A comparison without a result yet is included with a
/// p-value of 1: otherwise the others would be easier to find until it has one.
package enum MultipleTesting: String, Sendable, CaseIterable {
  /// S. Holm's step-down method: the probability of any false finding is at most alpha (Scandinavian Journal of
  /// Statistics 6, 1979).
  case holm
  /// Y. Benjamini's and Y. Hochberg's step-up method: the expected share of false findings among the findings is at
  /// most alpha, for independent or positively dependent tests (Journal of the Royal Statistical Society B 57, 1995).
  case benjaminiHochberg

  /// Returns the corrected p-values, to be compared with alpha, in the order of the original ones.
  ///
  /// - Parameter pValues: The p-values of the family; nil for a guardrail. A value outside 0...1 counts as nil.
  /// - Returns: The adjusted p-values, at most 1, and nil for nil.
  package func adjusted(_ pValues: [Double?]) -> [Double?] {
    let family = pValues.enumerated()
      .compactMap { index, p in p.flatMap { (0...1).contains($0) ? (index: index, p: $0) : nil } }
      .sorted { $0.p < $1.p }
    var adjusted = [Double?](repeating: nil, count: pValues.count)
    switch self {
    case .holm:
      var largest = 0.0
      for (rank, test) in family.enumerated() {
        largest = max(largest, min(1, test.p * Double(family.count - rank)))
        adjusted[test.index] = largest
      }
    case .benjaminiHochberg:
      var least = 1.0
      for (rank, test) in family.enumerated().reversed() {
        least = min(least, test.p * (Double(family.count) / Double(rank + 1)))
        adjusted[test.index] = least
      }
    }
    return adjusted
  }
}
