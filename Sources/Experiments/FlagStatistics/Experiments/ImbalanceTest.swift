/// A test that users with a flaw, such as those who saw two variants, are spread over the variants by chance.
///
/// R. A. Fisher's exact test (Journal of the Royal Statistical Society 85, 1922) of each variant against the others;
/// with more than two variants, the least p-value times their number. Being exact, it holds for a single such user. If
/// at least 100,000 users with and without the flaw are expected in both groups, Pearson's chi-squared test is used.
package struct ImbalanceTest: Hashable, Sendable {
  /// The p-value of a spread by chance, at most 1; 1 without such users.
  package let pValue: Double

  /// Tests the number of users with the flaw in each variant.
  ///
  /// - Parameters:
  ///   - counts: The number of users of each variant who have it.
  ///   - users: The number of all users of each variant.
  /// - Throws: ``StatisticsError`` if the numbers of variants differ, or a count is negative or above the users.
  package init(counts: [Int], users: [Int]) throws(StatisticsError) {
    guard counts.count == users.count else {
      throw StatisticsError(
        .invalidArgument, "users", "\(users.count), expected one for each of \(counts.count) variants")
    }
    for (index, (count, all)) in zip(counts, users).enumerated() {
      try StatisticsError.check(Double(count), "counts[\(index)]", is: "0 to \(all), the users") {
        $0 >= 0 && $0 <= Double(all)
      }
    }
    let (count, all) = (counts.reduce(0) { $0.addingSaturated($1) }, users.reduce(0) { $0.addingSaturated($1) })
    let tests = zip(counts, users).map { Hypergeometric(marked: count, drawn: $1, of: all).pValue(of: Double($0)) }
    pValue = min(1, (tests.min() ?? 1) * Double(tests.count > 2 ? tests.count : 1))
  }
}

/// The distribution of the number of marked users in a group that is drawn from all users.
private struct Hypergeometric {
  private let marked: Double
  private let drawn: Double
  private let unmarked: Double

  init(marked: Int, drawn: Int, of all: Int) {
    (self.marked, self.drawn, unmarked) = (Double(marked), Double(drawn), Double(all) - Double(marked))
  }

  private var range: ClosedRange<Double> { max(0, drawn - unmarked)...min(marked, drawn) }

  private var mode: Double {
    let mode = ((marked + 1) * (drawn + 1) / (marked + unmarked + 2)).rounded(.down)
    return min(range.upperBound, max(range.lowerBound, mode))
  }

  /// Returns the probability of a number over that of the number before it.
  private func ratio(at x: Double) -> Double {
    (marked - x + 1) * (drawn - x + 1) / (x * (unmarked - drawn + x))
  }

  /// Returns the two-sided p-value of a number.
  func pValue(of x: Double) -> Double {
    let rest = marked + unmarked - drawn
    let expected = [marked, unmarked].map { $0 / (marked + unmarked) }.flatMap { [$0 * drawn, $0 * rest] }
    guard expected.allSatisfy({ $0 >= 100_000 }) else { return exactPValue(of: x) }
    let difference = x - expected[0]
    let chiSquared = expected.reduce(0) { $0 + difference / $1 * difference }
    return ChiSquaredDistribution(degreesOfFreedom: 1).upperTail(at: chiSquared)
  }

  /// Returns the sum of the probabilities that are not above that of a number.
  private func exactPValue(of x: Double) -> Double {
    let limit = weight(at: x) * (1 + 1e-7)
    if limit == 0 { return 0 }
    var (all, outside) = (1.0, limit >= 1 ? 1.0 : 0)
    for isUp in [true, false] {
      var (number, weight) = (mode, 1.0)
      while let next = step(from: number, isUp) {
        weight *= next.ratio
        number = next.number
        all += weight
        if weight <= limit { outside += weight }
        if weight < limit * 1e-17 || weight == 0 { break }
      }
    }
    return min(1, outside / all)
  }

  /// Returns the probability of a number over that of the mode.
  private func weight(at x: Double) -> Double {
    var (number, weight) = (mode, 1.0)
    while number != x, weight > 0, let next = step(from: number, x > number) {
      (number, weight) = (next.number, weight * next.ratio)
    }
    return weight
  }

  /// Returns the next number in a direction, and its probability over that of this one; nil at the end.
  private func step(from x: Double, _ isUp: Bool) -> (number: Double, ratio: Double)? {
    let next = isUp ? x + 1 : x - 1
    guard range.contains(next) else { return nil }
    return (next, isUp ? ratio(at: next) : 1 / ratio(at: x))
  }
}
