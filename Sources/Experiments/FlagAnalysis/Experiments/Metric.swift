package import FlagStatistics

/// A number for each user, computed from the conversions of one name.
package struct Metric: Hashable, Sendable {
  /// The way in which conversions make a number for each user.
  package enum Kind: String, Sendable, CaseIterable {
    /// Whether there is any; the mean is a share of users.
    case share
    /// The number of conversions.
    case count
    /// The sum of their values; a conversion without a value counts as 0.
    case sum
  }

  package var name: String
  package var kind: Kind
  package var improvement: Improvement
  /// The acceptable harm of a guardrail, as a fraction of control's mean or in the metric's unit.
  package var margin: Double?
  /// The number whose sum over all users divides the metric's; nil for a number per user.
  package var per: Measure?

  package init(_ name: String, _ kind: Kind = .share, _ improvement: Improvement = .increase, margin: Double? = nil) {
    (self.name, self.kind, self.improvement, self.margin) = (name, kind, improvement, margin)
  }

  package var measure: Measure { Measure(name, kind) }
  package var ratio: Ratio? { per.map { Ratio(numerator: measure, denominator: $0) } }

  /// Parses `NAME[:share|count|sum][:up|down]`, followed by `=MARGIN` for a guardrail; a name may contain colons, too.
  ///
  /// `:per:` divides one such number by another one, as in `purchase:sum:per:order:count`.
  package init(_ text: String, isGuardrail: Bool) throws(AnalysisError) {
    var text = text[...]
    let margin = isGuardrail ? try Self.removeMargin(from: &text) : nil
    if let sign = text.firstRange(of: ":per:") {
      let divisor = try Metric(String(text[sign.upperBound...]), isGuardrail: false)
      self = try Metric(String(text[..<sign.lowerBound]), isGuardrail: false)
      (self.margin, per, improvement) = (margin, divisor.measure, divisor.improvement)
      return
    }
    self.init("", margin: margin)
    var parts = text.split(separator: ":", omittingEmptySubsequences: false)
    while parts.count > 1, let last = parts.last {
      if let kind = Kind(rawValue: String(last)) {
        self.kind = kind
      } else if let improvement = ["up": Improvement.increase, "down": .decrease][last] {
        self.improvement = improvement
      } else {
        break
      }
      parts.removeLast()
    }
    name = parts.joined(separator: ":")
    guard !name.isEmpty else { throw AnalysisError("expected the name of a conversion, found \(String(text).quoted)") }
  }

  private static func removeMargin(from text: inout Substring) throws(AnalysisError) -> Double {
    guard let sign = text.lastIndex(of: "="), let margin = Double(percentage: text[text.index(after: sign)...]),
      margin >= 0
    else {
      throw AnalysisError(
        "expected a metric and its margin, such as crash:count:down=2%, found \(String(text).quoted)")
    }
    text = text[..<sign]
    return margin
  }

  /// The name for headings.
  package var title: String { per.map { "\(name) per \($0.name)" } ?? name }

  /// The title of a table of its own, which tells it from those of other numbers of the same name.
  package var sectionTitle: String {
    let number = per.map { "\(kind.rawValue) over \($0.kind.rawValue)" } ?? kind.rawValue
    return "\(margin == nil ? "" : "Guardrail ")\(title) (\(number))"
  }

  package var summary: String {
    let direction = "\(improvement == .increase ? "more" : "less") is better"
    if let per { return "\(kind.total) over \(per.kind.total), \(direction)" }
    let kind =
      switch kind {
      case .share: "share of users"
      case .count: "number per user"
      case .sum: "sum of values per user"
      }
    return "\(kind), \(direction)"
  }
}

extension Metric.Kind {
  /// The name of the sum over users.
  fileprivate var total: String {
    switch self {
    case .share: "number of users"
    case .count: "number"
    case .sum: "sum of values"
    }
  }
}

extension ExperimentData.Variant {
  func sample(of metric: Metric) throws(StatisticsError) -> any SampleSummary {
    if let ratio = metric.ratio { return try sample(of: ratio) }
    guard let conversions = conversions[metric.name] else {
      if metric.kind == .share { return try ProportionStatistics(count: users, successes: 0) }
      return try SampleStatistics(count: users, sum: 0, sumOfSquares: 0)
    }
    return switch metric.kind {
    case .share: try ProportionStatistics(count: users, successes: conversions.users)
    case .count: conversions.counts
    case .sum: conversions.values
    }
  }

  /// Returns the number of users who converted; for a sum, of those whose values are not 0, if that is known.
  func converted(_ metric: Metric) -> Int {
    guard let conversions = conversions[metric.name] else { return 0 }
    return switch metric.kind {
    case .share, .count: conversions.users
    case .sum: conversions.values.nonzeroCount ?? conversions.users
    }
  }

  /// Returns whether the metric cannot be negative; for a sum, whether no user's is, if that is known.
  func isNonnegative(_ metric: Metric) -> Bool {
    ([metric.measure] + (metric.per.map { [$0] } ?? [])).allSatisfy { measure in
      measure.kind != .sum || conversions[measure.name].map { $0.values.negativeCount == 0 } ?? true
    }
  }
}
