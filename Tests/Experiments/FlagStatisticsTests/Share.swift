/// The share of random experiments in which something held, and what it says of the chance.
struct Share: CustomStringConvertible {
  let experiments: Int
  let held: Int

  init(of experiments: Int, _ holds: () throws -> Bool) rethrows {
    self.experiments = experiments
    held = try (0..<experiments).count { _ in try holds() }
  }

  var description: String { "\(held) of \(experiments)" }

  /// Whether the chance may be this one: within four standard errors, which one in 16,000 exceeds by chance.
  func agrees(with chance: Double) -> Bool { isAtLeast(chance) && isAtMost(chance) }
  func isAtLeast(_ chance: Double) -> Bool { excess(over: chance) >= -4 }
  func isAtMost(_ chance: Double) -> Bool { excess(over: chance) <= 4 }

  /// Returns how many standard errors the share is over a chance.
  private func excess(over chance: Double) -> Double {
    let count = Double(experiments)
    return (Double(held) - count * chance) / (count * chance * (1 - chance)).squareRoot()
  }
}
