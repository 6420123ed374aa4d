package import FlagDomain
import FlagJSON
import FlagStatistics

/// An analysis as a JSON document, of version 1.
package struct JSONReport {
  private let analysis: ExperimentAnalysis

  package init(_ analysis: ExperimentAnalysis) { self.analysis = analysis }

  /// The document.
  package var value: FlagValue {
    let settings = analysis.settings
    return [
      "schema": 1, "flag": analysis.data.flag.map(FlagValue.string) ?? nil, "control": .string(analysis.control),
      "users": .int(Int128(analysis.data.users)), "alpha": .double(settings.alpha),
      "scale": .string(settings.scale.rawValue), "correction": settings.correction.map { .string($0.rawValue) } ?? nil,
      "tuning": .double(settings.tuning), "prior": prior,
      "windowSeconds": analysis.data.window.map { .int(Int128($0.seconds)) } ?? nil, "sampleRatio": ratio,
      "metrics": .array(analysis.metrics.map(metric)),
      "variants": .array(analysis.data.variants.map(variant)), "excluded": excluded,
      "remarks": .array(analysis.remarks.map { .string($0) }),
    ]
  }

  /// The document as text.
  package var text: String {
    do {
      return try value.jsonString(.indented)
    } catch {
      // Every number was made by `FlagValue(finite:)`, and nothing nests.
      preconditionFailure("\(error)")
    }
  }
}

extension JSONReport {
  private var ratio: FlagValue {
    [
      "isMismatch": .bool(analysis.ratio.isMismatch), "pValue": FlagValue(finite: analysis.ratio.pValue),
      "chiSquared": FlagValue(finite: analysis.ratio.chiSquared),
      "variants": .array(
        analysis.shares.map { share in
          [
            "variant": .string(share.variant), "users": .int(Int128(share.users)),
            "planned": FlagValue(finite: share.planned),
          ]
        }),
    ]
  }

  /// What was believed of relative effects before; null for nothing.
  private var prior: FlagValue {
    let prior = analysis.settings.prior
    return prior.variance.isFinite ? ["mean": .double(prior.mean), "variance": .double(prior.variance)] : .null
  }

  private var excluded: FlagValue {
    let excluded = analysis.data.excluded
    return [
      "usersOfSeveralVariants": .int(Int128(excluded.usersOfSeveralVariants)),
      "conversionsBefore": .int(Int128(excluded.conversionsBefore)),
      "conversionsAfter": .int(Int128(excluded.conversionsAfter)),
      "conversionsOfOthers": .int(Int128(excluded.conversionsOfOthers)),
      "duplicates": .int(Int128(excluded.duplicates)),
    ]
  }

  /// The counts and sums of a variant.
  private func variant(_ variant: ExperimentData.Variant) -> FlagValue {
    let conversions = variant.conversions.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return [
      "variant": .string(variant.name), "users": .int(Int128(variant.users)),
      "conversions": .array(
        conversions.map { name, statistics in
          var members: [String: FlagValue] = [
            "name": .string(name), "users": .int(Int128(statistics.users)),
            "count": FlagValue(finite: statistics.counts.sum),
            "countSquares": FlagValue(finite: statistics.counts.sumOfSquares),
            "sum": FlagValue(finite: statistics.values.sum),
            "sumSquares": FlagValue(finite: statistics.values.sumOfSquares),
          ]
          if let before = statistics.before { members["before"] = self.before(before) }
          return .object(members)
        }),
    ]
  }

  /// The counts and sums of what users did before their first exposure.
  private func before(_ before: CovariateStatistics) -> FlagValue {
    [
      "users": FlagValue(finite: before.shares.covariate.sum),
      "usersOfBoth": FlagValue(finite: before.shares.sumOfProducts),
      "count": FlagValue(finite: before.counts.covariate.sum),
      "countSquares": FlagValue(finite: before.counts.covariate.sumOfSquares),
      "countProducts": FlagValue(finite: before.counts.sumOfProducts),
      "sum": FlagValue(finite: before.values.covariate.sum),
      "sumSquares": FlagValue(finite: before.values.covariate.sumOfSquares),
      "sumProducts": FlagValue(finite: before.values.sumOfProducts),
    ]
  }

  private func metric(_ result: ExperimentAnalysis.MetricResult) -> FlagValue {
    [
      "name": .string(result.metric.name), "kind": .string(result.metric.kind.rawValue),
      "improvement": .string(result.metric.improvement.rawValue), "isGuardrail": .bool(result.metric.margin != nil),
      "variants": .array(result.rows.map(row)),
    ]
  }

  private func row(_ row: ExperimentAnalysis.Row) -> FlagValue {
    var members: [String: FlagValue] = [
      "variant": .string(row.variant), "users": .int(Int128(row.users)), "value": FlagValue(finite: row.mean),
    ]
    if let error = row.failure {
      members["error"] = ["code": .string(error.code.rawValue), "message": .string("\(error)")]
    }
    if let comparison = row.comparison { members.merge(comparison.members) { _, new in new } }
    return .object(members)
  }
}

extension Comparison {
  fileprivate var members: [String: FlagValue] {
    var members: [String: FlagValue] = [
      "effect": FlagValue(finite: effect.value), "standardError": FlagValue(finite: effect.standardError),
      "degreesOfFreedom": FlagValue(finite: effect.degreesOfFreedom), "interval": FlagValue(interval),
      "pValue": FlagValue(finite: pValue), "sequentialInterval": FlagValue(sequentialInterval),
      "sequentialPValue": FlagValue(finite: sequentialPValue), "verdict": .string(verdict.rawValue),
      "chanceToWin": FlagValue(finite: chanceToWin), "expectedLoss": FlagValue(finite: expectedLoss),
    ]
    if let adjustment {
      members["adjustment"] = [
        "theta": FlagValue(finite: adjustment.theta),
        "varianceReduction": FlagValue(finite: adjustment.varianceReduction),
      ]
    }
    if let adjustedPValue { members["adjustedPValue"] = FlagValue(finite: adjustedPValue) }
    if let adjustedSequentialPValue {
      members["adjustedSequentialPValue"] = FlagValue(finite: adjustedSequentialPValue)
    }
    if let guardrail {
      members["guardrail"] = [
        "margin": FlagValue(finite: guardrail.margin), "bound": FlagValue(finite: guardrail.bound),
        "verdict": .string(guardrail.verdict.rawValue),
      ]
    }
    return members
  }
}

extension FlagValue {
  /// A number, or null for one that JSON has not.
  fileprivate init(finite number: Double) { self = number.isFinite ? .double(number) : .null }

  fileprivate init(_ interval: ConfidenceInterval) {
    self = .array([FlagValue(finite: interval.lower), FlagValue(finite: interval.upper)])
  }
}
