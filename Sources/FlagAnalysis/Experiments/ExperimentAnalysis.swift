package import FlagStatistics

/// The results of an experiment: the sample ratio first, then each metric of each variant.
package struct ExperimentAnalysis: Sendable {
  package let data: ExperimentData
  package let settings: AnalysisSettings
  package let control: String
  package let ratio: SampleRatioTest
  package let health: HealthPanel
  /// The variants with their users and planned shares, ordered by name.
  package let shares: [Share]
  package let metrics: [MetricResult]
  /// The effects by the value of an attribute; empty without a breakdown.
  package let segments: [Segment]
  /// The effects by the end of each day; empty if that was not measured.
  package let days: [Day]

  package struct Share: Hashable, Sendable, Encodable {
    package let variant: String
    package let users: Int
    /// The planned fraction of all users.
    package let planned: Double
  }

  package struct MetricResult: Sendable {
    package let metric: Metric
    /// The results by variant: control first, and the others ordered by name.
    package let rows: [Row]
  }

  package struct Row: Sendable {
    package let variant: String
    package let users: Int
    /// The mean over the users; NaN without users.
    package let mean: Double
    /// The comparison with control; nil for the control itself, and if it cannot be computed.
    package fileprivate(set) var comparison: Comparison?
    package let failure: StatisticsError?
  }
}

extension ExperimentAnalysis {
  /// Analyzes an experiment.
  ///
  /// - Throws: An error if there are fewer than two variants, if the control is unknown, or if a metric to adjust is
  ///   missing or was not measured before the first exposure.
  package init(of data: ExperimentData, _ settings: AnalysisSettings) throws(AnalysisError) {
    let variants = try Self.variants(of: data, settings)
    control = settings.control ?? variants.first { $0.name == "control" }?.name ?? variants[0].name
    guard let baseline = variants.first(where: { [control] in $0.name == control }) else {
      let known = variants.map(\.name.quoted).joined(separator: ", ")
      throw AnalysisError("no variant is called \(control.quoted): there are \(known)")
    }
    (self.data, self.settings) = (data, settings)
    let weights = variants.map { settings.weights.isEmpty ? 1 : settings.weights[$0.name] ?? 0 }
    do {
      ratio = try SampleRatioTest(users: variants.map(\.users), weights: weights)
    } catch {
      throw AnalysisError("\(error)")
    }
    health = HealthPanel(of: data, ratio, tolerance: settings.tolerance)
    let total = weights.reduce(0, +)
    shares = zip(variants, weights).map {
      Share(variant: $0.name, users: $0.users, planned: total > 0 ? $1 / total : 0)
    }
    let chosen = settings.metrics.isEmpty ? data.names.map { Metric($0) } : settings.metrics
    try Self.check(settings.covariates, among: chosen, in: variants)
    let others = variants.filter { [control] in $0.name != control }
    let results = chosen.map { metric in
      MetricResult(
        metric: metric,
        rows: [Row(baseline, metric)] + others.map { Row($0, over: baseline, metric, settings) })
    }
    metrics = settings.correction.map { Self.corrected(results, $0, settings.alpha) } ?? results
    var detail = settings
    detail.metrics = chosen
    segments = try Self.segments(of: data, detail, control)
    days = try Self.days(of: data, detail, control)
  }

  /// Returns the variants that have users or a weight, ordered by name.
  private static func variants(
    of data: ExperimentData, _ settings: AnalysisSettings
  ) throws(AnalysisError) -> [ExperimentData.Variant] {
    let names = Set(data.variants.map(\.name)).union(settings.weights.keys)
    let variants = names.map { name in
      data.variants.first { $0.name == name } ?? ExperimentData.Variant(name: name)
    }.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    guard variants.count > 1, data.users > 0 else {
      let found = variants.first.map { "those to \($0.name.quoted) alone" } ?? "none"
      throw AnalysisError("expected exposures of users to two variants at least, found \(found)")
    }
    return variants
  }

  /// Checks that each metric to adjust exists, and that its value before the exposure was measured for each variant.
  private static func check(
    _ covariates: [Metric], among metrics: [Metric], in variants: [ExperimentData.Variant]
  ) throws(AnalysisError) {
    for covariate in covariates {
      guard metrics.contains(where: { $0.per == nil && $0.measure == covariate.measure }), covariate.per == nil else {
        let known = metrics.map { "\($0.name):\($0.kind.rawValue)".quoted }.joined(separator: ", ")
        throw AnalysisError(
          "no metric is \("\(covariate.name):\(covariate.kind.rawValue)".quoted), which is to be adjusted: "
            + (known.isEmpty ? "there is none" : "there are \(known)"))
      }
      for variant in variants { _ = try variant.paired(of: covariate) }
    }
  }

  /// Corrects p-values over all metrics and variants, except those of guardrails and failed comparisons.
  static func corrected(
    _ results: [MetricResult], _ correction: MultipleTesting, _ alpha: Double
  ) -> [MetricResult] {
    let comparisons = results.flatMap { result in
      result.rows.map { result.metric.margin == nil ? $0.comparison : nil }
    }
    var once = correction.adjusted(comparisons.map { $0?.pValue })[...]
    var always = correction.adjusted(comparisons.map { $0?.sequentialPValue })[...]
    return results.map { result in
      MetricResult(
        metric: result.metric,
        rows: result.rows.map { row in
          let (p, sequential) = (once.removeFirst(), always.removeFirst())
          guard let p, let sequential else { return row }
          var row = row
          row.comparison?.correct(p, sequential, alpha, result.metric.improvement)
          return row
        })
    }
  }
}

extension ExperimentAnalysis.Row {
  fileprivate init(_ variant: ExperimentData.Variant, _ metric: Metric) {
    (self.variant, users, mean) = (variant.name, variant.users, variant.mean(of: metric))
    (comparison, failure) = (nil, nil)
  }

  fileprivate init(
    _ variant: ExperimentData.Variant, over control: ExperimentData.Variant, _ metric: Metric,
    _ settings: AnalysisSettings
  ) {
    (self.variant, users, mean) = (variant.name, variant.users, variant.mean(of: metric))
    do throws(StatisticsError) {
      let adjusted = settings.isAdjusted(metric) ? CovariateAdjustment(of: variant, over: control, metric) : nil
      let effect: EffectEstimate
      if let adjusted {
        effect = try EffectEstimate(of: adjusted.treatment, over: adjusted.control, scale: settings.scale)
      } else {
        let (treatment, baseline) = (try variant.sample(of: metric), try control.sample(of: metric))
        effect = try EffectEstimate(of: treatment, over: baseline, scale: settings.scale)
      }
      comparison = try Comparison(effect, metric, settings, adjusted: adjusted)
      failure = nil
    } catch {
      (comparison, failure) = (nil, error)
    }
  }
}

extension CovariateAdjustment {
  /// Adjusts a metric of two variants by its value before the exposure, which both have.
  fileprivate init(of variant: ExperimentData.Variant, over control: ExperimentData.Variant, _ metric: Metric) {
    do throws(AnalysisError) {
      self.init(control: try control.paired(of: metric), treatment: try variant.paired(of: metric))
    } catch {
      preconditionFailure("checked before: \(error)")
    }
  }
}

extension ExperimentData.Variant {
  fileprivate func mean(of metric: Metric) -> Double {
    do { return try sample(of: metric).mean } catch { return .nan }
  }
}
