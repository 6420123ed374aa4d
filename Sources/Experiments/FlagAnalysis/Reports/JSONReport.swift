package import FlagDomain
import FlagJSON
import FlagStatistics

/// An analysis as a JSON document, version 1 of the format.
package struct JSONReport {
  private let analysis: ExperimentAnalysis

  package init(_ analysis: ExperimentAnalysis) { self.analysis = analysis }

  package var value: FlagValue {
    let (settings, data, ratio) = (analysis.settings, analysis.data, analysis.ratio)
    let prior = settings.prior
    return FlagValue([
      "schema": 1, "flag": data.flag, "control": analysis.control, "users": data.users, "alpha": settings.alpha,
      "scale": settings.scale.rawValue,
      "looks": settings.looks == .any ? "any" : "one", "leastConversions": settings.leastConversions,
      "correction": settings.correction?.rawValue, "tuning": settings.tuning,
      "prior": prior.variance.isFinite ? ["mean": prior.mean, "variance": prior.variance] : nil,
      "windowSeconds": data.window?.seconds, "excluded": data.excluded, "remarks": analysis.remarks,
      "sampleRatio": FlagValue([
        "isMismatch": ratio.isMismatch, "pValue": ratio.pValue, "chiSquared": ratio.chiSquared,
        "variants": analysis.shares,
      ]),
      "health": FlagValue([
        "isSound": analysis.health.isSound, "alpha": HealthPanel.alpha, "tolerance": settings.tolerance,
        "events": data.notes.events, "checks": analysis.health.checks,
      ]),
      "cap": data.cap.map { Double($0.millionths) / Double(CapQuantile.million) },
      "caps": data.cap.map { _ in data.caps },
      "breakdown": data.attribute.map { attribute in
        FlagValue(["attribute": attribute, "segments": analysis.segments.map(segment)])
      },
      "days": analysis.days.isEmpty ? nil : analysis.days.map(day), "metrics": analysis.metrics.map(metric),
      "variants": data.variants.map(variant),
    ])
  }

  package var text: String {
    do {
      return try value.jsonString(.indented)
    } catch {
      preconditionFailure("every number is finite, and nothing nests deeply: \(error)")
    }
  }

  private func variant(_ variant: ExperimentData.Variant) -> FlagValue {
    let conversions = variant.conversions.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return FlagValue([
      "variant": variant.name, "users": variant.users, "usersOfSeveralVariants": variant.usersOfSeveral,
      "usersBefore": variant.usersBefore, "visitors": variant.visitors,
      "visitorsOfSeveralUnits": variant.visitorsOfSeveralUnits,
      "ratios": variant.ratios.sorted { "\($0.key)" < "\($1.key)" }.map { ratio, sums in
        FlagValue([
          "ratio": "\(ratio)", "sumProducts": sums.sumOfProducts, "numerator": sums.outcome.sum,
          "numeratorSquares": sums.outcome.sumOfSquares, "denominator": sums.covariate.sum,
          "denominatorSquares": sums.covariate.sumOfSquares,
        ])
      },
      "conversions": conversions.map { name, statistics in
        FlagValue([
          "name": name, "users": statistics.users, "count": statistics.counts.sum,
          "countSquares": statistics.counts.sumOfSquares, "sum": statistics.values.sum,
          "sumSquares": statistics.values.sumOfSquares, "nonzero": statistics.values.nonzeroCount,
          "negative": statistics.values.negativeCount,
        ]).merging(statistics.before.map { ["before": before($0)] } ?? [:])
      },
    ])
  }

  private func segment(_ segment: ExperimentAnalysis.Segment) -> FlagValue {
    FlagValue(["segment": segment.name, "metrics": segment.metrics.map(metric)])
  }

  private func day(_ day: ExperimentAnalysis.Day) -> FlagValue {
    FlagValue(["day": "\(CalendarDay(daysSince1970: Int64(day.day)))", "metrics": day.metrics.map(metric)])
  }

  private func before(_ before: CovariateStatistics) -> FlagValue {
    FlagValue([
      "users": before.shares.covariate.sum, "usersOfBoth": before.shares.sumOfProducts,
      "count": before.counts.covariate.sum, "countSquares": before.counts.covariate.sumOfSquares,
      "countProducts": before.counts.sumOfProducts, "sum": before.values.covariate.sum,
      "sumSquares": before.values.covariate.sumOfSquares, "sumProducts": before.values.sumOfProducts,
    ])
  }

  private func metric(_ result: ExperimentAnalysis.MetricResult) -> FlagValue {
    FlagValue([
      "name": result.metric.name, "kind": result.metric.kind.rawValue, "isGuardrail": result.metric.margin != nil,
      "per": result.metric.per.map { FlagValue(["name": $0.name, "kind": $0.kind.rawValue]) },
      "improvement": result.metric.improvement.rawValue, "variants": result.rows.map(row),
      "advice": analysis.advice(on: result),
    ])
  }

  private func row(_ row: ExperimentAnalysis.Row) -> FlagValue {
    let value = FlagValue(["variant": row.variant, "users": row.users, "value": row.mean])
    if let error = row.failure {
      let missing = FlagValue(["lackingConversions": row.lackingConversions])
      let failure = FlagValue(["code": error.code.rawValue, "message": "\(error)"])
      return value.merging(["error": error.code == .tooFewConversions ? failure.merging(missing) : failure])
    }
    guard let comparison = row.comparison else { return value }
    let difference = comparison.difference
    return value.merging(FlagValue(encoded: comparison)).merging(
      FlagValue([
        "effect": comparison.effect,
        "difference": FlagValue([
          "value": difference.value, "standardError": difference.standardError,
          "degreesOfFreedom": difference.degreesOfFreedom,
        ]),
        "interval": Self.ends(comparison.decidingInterval),
        "pValue": comparison.guardrail == nil ? comparison.deciding.pValue : nil,
        "adjustedPValue": comparison.deciding.adjustedPValue,
        "oneLook": FlagValue(encoded: comparison.oneLook).merging(
          FlagValue(["interval": Self.ends(comparison.oneLook.interval)])),
      ]))
  }

  private static func ends(_ interval: ConfidenceInterval?) -> [Double]? {
    interval.map { [$0.lower, $0.upper] }
  }
}

extension Guardrail.Verdict: Encodable {}

extension FlagValue {
  /// Creates an object; nil members become null.
  fileprivate init(_ members: [String: (any Encodable)?]) {
    self = .object(members.mapValues { value in value.map { FlagValue(encoded: $0) } ?? .null })
  }

  /// Creates the JSON of a value; a number that JSON cannot represent becomes null.
  fileprivate init(encoded value: some Encodable) {
    do throws(FlagError) {
      self = try FlagValue(encoding: value).withFiniteNumbers
    } catch {
      preconditionFailure("what reports hold can be encoded: \(error)")
    }
  }

  private var withFiniteNumbers: FlagValue {
    switch self {
    case .double(let number, _) where !number.isFinite: .null
    case .array(let elements): .array(elements.map(\.withFiniteNumbers))
    case .object(let members): .object(members.mapValues(\.withFiniteNumbers))
    default: self
    }
  }

  /// Returns an object with the members of another one added.
  fileprivate func merging(_ other: FlagValue) -> FlagValue {
    guard case .object(let members) = self, case .object(let others) = other else { return self }
    return .object(members.merging(others) { $1 })
  }
}
