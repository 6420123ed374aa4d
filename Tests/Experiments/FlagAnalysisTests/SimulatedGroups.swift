import FlagStatistics
import TestSupport
import Testing

/// Draws of how many of some users convert, with given chances.
struct BinomialSampler {
  /// The least count with a probability worth a mention, and the probabilities from there on.
  let first: Int
  let probabilities: [Double]
  private let sums: [Double]

  init(_ count: Int, _ share: Double) {
    let mode = min(count, Int(Double(count + 1) * share))
    let odds = share / (1 - share)
    var below: [Double] = []
    var weight = 1.0
    for successes in stride(from: mode, to: 0, by: -1) where weight > 1e-16 {
      weight *= Double(successes) / Double(count - successes + 1) / odds
      below.append(weight)
    }
    var weights = below.reversed() + [1.0]
    weight = 1
    for successes in mode..<max(mode, count) where weight > 1e-16 {
      weight *= Double(count - successes) / Double(successes + 1) * odds
      weights.append(weight)
    }
    let total = weights.reduce(0, +)
    first = mode - below.count
    probabilities = weights.map { $0 / total }
    var sum = 0.0
    sums = probabilities.map { probability in
      sum += probability
      return sum
    }
  }

  /// Returns a random count.
  func draw(_ generator: inout SeededGenerator) -> Int {
    let chance = Double(generator.next() >> 11) * 0x1p-53
    var (lower, upper) = (0, sums.count - 1)
    while lower < upper {
      let middle = (lower + upper) / 2
      if sums[middle] > chance { upper = middle } else { lower = middle + 1 }
    }
    return first + lower
  }
}

/// Users of whom a share spends amounts that are lognormal, and the others nothing.
struct Spending: Sendable, CustomTestStringConvertible {
  let share: Double
  /// The standard deviation of the amounts' logarithms.
  let deviation: Double
  let users: Int

  var testDescription: String { "\(share) spend, deviation \(deviation), \(users) users" }

  /// The amounts at 4,096 equally likely quantiles.
  var amounts: [Double] {
    (0..<4_096).map { index in
      let normal = NormalDistribution().quantile(lowerTail: (Double(index) + 0.5) / 4_096)
      return exponential(deviation * normal)
    }
  }

  /// Returns e to a power, by the limit that defines it, which is close enough for amounts.
  private func exponential(_ power: Double) -> Double {
    (0..<20).reduce(1 + power / 0x1p20) { value, _ in value * value }
  }
}
