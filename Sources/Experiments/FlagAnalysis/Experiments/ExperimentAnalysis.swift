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
    /// The number of conversions that a comparison lacks for a verdict; 0 if it has enough.
    package let lackingConversions: Int
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
      throw AnalysisError("no variant is named \(control.quoted): there are \(known)")
    }
    (self.data, self.settings) = (data, settings)
    let weights = variants.map { settings.weights.isEmpty ? 1 : settings.weights[$0.name] ?? 0 }
    do {
      ratio = try SampleRatioTest(users: variants.map(\.users), weights: weights)
    } catch {
      throw AnalysisError("\(error)")
    }
    health = HealthPanel(of: data, ratio, settings)
    shares = Self.shares(of: variants, weights)
    let chosen = settings.metrics.isEmpty ? data.names.map { Metric($0) } : settings.metrics
    try Self.check(settings.covariates, among: chosen, in: variants)
    let others = variants.filter { [control] in $0.name != control }
    let results = chosen.map { metric in
      MetricResult(
        metric: metric,
        rows: [Row(baseline, metric)] + others.map { Row($0, over: baseline, metric, settings) })
    }
    metrics = settings.correction.map { Self.corrected(results, $0, settings) } ?? results
    var detail = settings
    detail.metrics = chosen
    segments = try Self.segments(of: data, detail, control)
    days = try Self.days(of: data, detail, control, whole: metrics)
  }

  private static func shares(of variants: [ExperimentData.Variant], _ weights: [Double]) -> [Share] {
    let total = weights.reduce(0, +)
    return zip(variants, weights).map {
      Share(variant: $0.name, users: $0.users, planned: total > 0 ? $1 / total : 0)
    }
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

  /// Corrects p-values over all metrics and variants, except those of guardrails.
  ///
  /// A comparison without a result counts as one with a p-value of 1: that it has none yet must not make the others
  /// easier to find.
  static func corrected(
    _ results: [MetricResult], _ correction: MultipleTesting, _ settings: AnalysisSettings
  ) -> [MetricResult] {
    func adjusted(_ p: (Comparison) -> Double) -> ArraySlice<Double?> {
      let family = results.flatMap { result in
        result.rows.map { row in
          result.metric.margin == nil && !row.isControl ? row.comparison.map(p) ?? 1 : nil
        }
      }
      return correction.adjusted(family)[...]
    }
    var (once, always) = (adjusted(\.oneLook.pValue), adjusted(\.anyLook.pValue))
    return results.map { result in
      MetricResult(
        metric: result.metric,
        rows: result.rows.map { row in
          let (p, sequential) = (once.removeFirst(), always.removeFirst())
          guard let p, let sequential else { return row }
          var row = row
          row.comparison?.correct(p, sequential, settings, result.metric.improvement)
          return row
        })
    }
  }
}

extension ExperimentAnalysis.MetricResult {
  /// The result as if nothing could be compared yet: a correction counts it with a p-value of 1.
  var withoutComparisons: Self {
    Self(
      metric: metric,
      rows: rows.map { row in
        guard !row.isControl else { return row }
        return ExperimentAnalysis.Row(
          variant: row.variant, users: row.users, mean: row.mean, comparison: nil,
          failure: StatisticsError(.tooFewConversions, metric.name, "not measured by day"), lackingConversions: 0)
      })
  }
}

extension ExperimentAnalysis.Row {
  fileprivate var isControl: Bool { comparison == nil && failure == nil }

  fileprivate init(_ variant: ExperimentData.Variant, _ metric: Metric) {
    (self.variant, users, mean) = (variant.name, variant.users, variant.mean(of: metric))
    (comparison, failure, lackingConversions) = (nil, nil, 0)
  }

  fileprivate init(
    _ variant: ExperimentData.Variant, over control: ExperimentData.Variant, _ metric: Metric,
    _ settings: AnalysisSettings
  ) {
    (self.variant, users, mean) = (variant.name, variant.users, variant.mean(of: metric))
    let found = control.converted(metric) + variant.converted(metric)
    lackingConversions = settings.lackingConversions(found, users: (control.users, variant.users))
    do throws(StatisticsError) {
      guard lackingConversions == 0 else {
        throw StatisticsError(
          .tooFewConversions, "both groups",
          "\(found) \(found == 1 ? "user" : "users") converted, "
            + "\(lackingConversions) more \(lackingConversions == 1 ? "is" : "are") needed")
      }
      let adjusted = settings.isAdjusted(metric) ? CovariateAdjustment(of: variant, over: control, metric) : nil
      let isNonnegative = control.isNonnegative(metric) && variant.isNonnegative(metric)
      let difference: MeanDifference
      if let adjusted {
        difference = try MeanDifference(of: adjusted.treatment, over: adjusted.control, isNonnegative: isNonnegative)
      } else {
        let (treatment, baseline) = (try variant.sample(of: metric), try control.sample(of: metric))
        difference = try MeanDifference(of: treatment, over: baseline, isNonnegative: isNonnegative)
      }
      comparison = try Comparison(difference, metric, settings, adjusted: adjusted)
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
