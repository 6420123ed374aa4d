import FlagStatistics

extension ExperimentAnalysis {
  /// The effects on the users with one value of the breakdown's attribute.
  package struct Segment: Sendable {
    package let name: String
    package let metrics: [MetricResult]
  }

  /// The effects as they were by the end of a day.
  package struct Day: Sendable {
    /// The day, in days since the beginning of 1970, UTC.
    package let day: Int
    package let metrics: [MetricResult]
  }

  /// Returns the effects in each segment; the correction spans all metrics and variants of all segments.
  static func segments(
    of data: ExperimentData, _ settings: AnalysisSettings, _ control: String
  ) throws(AnalysisError) -> [Segment] {
    var results: [[MetricResult]] = []
    for segment in data.segments {
      results.append(try metrics(of: segment.variants, in: data, settings, control))
    }
    let all = results.flatMap(\.self)
    var corrected = (settings.correction.map { self.corrected(all, $0, settings) } ?? all)[...]
    return zip(data.segments, results).map { segment, results in
      defer { corrected = corrected.dropFirst(results.count) }
      return Segment(name: segment.name, metrics: Array(corrected.prefix(results.count)))
    }
  }

  /// Returns the effects by the end of each day, without adjustment and ratios, corrected as those of the whole.
  ///
  /// The last day is the whole, and has its results.
  static func days(
    of data: ExperimentData, _ settings: AnalysisSettings, _ control: String, whole: [MetricResult]
  ) throws(AnalysisError) -> [Day] {
    let others = whole.filter { $0.metric.per != nil }.map(\.withoutComparisons)
    let last = whole.filter { $0.metric.per == nil }
    let correction = settings.correction
    var settings = settings
    settings.metrics.removeAll { $0.per != nil }
    settings.covariates = []
    if settings.metrics.isEmpty { return [] }
    var days: [Day] = []
    for day in data.days.dropLast() {
      let results = try metrics(of: day.variants, in: data, settings, control)
      let corrected = correction.map { self.corrected(results + others, $0, settings) } ?? results
      days.append(Day(day: day.day, metrics: Array(corrected.prefix(results.count))))
    }
    if let day = data.days.last { days.append(Day(day: day.day, metrics: last)) }
    return days
  }

  /// Returns the results for other statistics of the same variants, uncorrected.
  private static func metrics(
    of variants: [ExperimentData.Variant], in data: ExperimentData, _ settings: AnalysisSettings, _ control: String
  ) throws(AnalysisError) -> [MetricResult] {
    var part = ExperimentData()
    part.variants = data.variants.map { variant in
      variants.first { $0.name == variant.name } ?? ExperimentData.Variant(name: variant.name)
    }
    if part.users == 0 { return [] }
    var settings = settings
    (settings.correction, settings.control, settings.weights) = (nil, control, [:])
    return try ExperimentAnalysis(of: part, settings).metrics
  }
}
