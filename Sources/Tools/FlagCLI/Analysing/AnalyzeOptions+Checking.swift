import FlagAnalysis
import FlagDomain

extension AnalyzeOptions {
  /// Validates the combination of options.
  func check() throws(UsageError) {
    let sources = [!inputs.isEmpty, aggregates != nil, dialect != nil].count { $0 }
    guard sources == 1 else {
      throw UsageError("one of --exposures and --conversions, --aggregates and --sql is expected, found \(sources)")
    }
    var titles: Set<String> = []
    if let metric = settings.metrics.first(where: { !titles.insert($0.sectionTitle).inserted }) {
      throw UsageError("each metric is expected once, found \(metric.sectionTitle) several times")
    }
    if dialect != nil {
      if plan.flag == nil { throw UsageError("--flag FLAG is missing") }
    } else if exposureTable != nil || conversionTable != nil || !columns.isEmpty {
      throw UsageError("--exposure-table, --conversion-table and --column are for --sql")
    }
    if !definitions.isEmpty, dialect != nil || !settings.weights.isEmpty {
      throw UsageError("--flags is for analyzing without --weights")
    }
    let measured = [
      ("--window", plan.window != nil), ("--cap", plan.cap != nil), ("--by", plan.attribute != nil),
      ("--over-time", plan.measuresDays), ("--unit", plan.unit != nil),
    ]
    if aggregates != nil, let (name, _) = measured.first(where: \.1) {
      throw UsageError("\(name) is for events and --sql: aggregates have theirs")
    }
    guard !inputs.isEmpty else { return }
    if !inputs.contains(where: \.hasExposures) { throw UsageError("--exposures FILE is missing") }
    if !inputs.contains(where: \.hasConversions) { throw UsageError("--conversions FILE is missing") }
  }

  /// The questions of the join or query, with those that metrics need.
  var joinPlan: JoinPlan {
    var plan = plan
    let names = Set(settings.metrics.flatMap { [$0.name] + [$0.per?.name].compactMap(\.self) })
    plan.names = names.isEmpty ? nil : names
    plan.measuresBefore = !settings.covariates.isEmpty
    for ratio in settings.metrics.compactMap(\.ratio) where !plan.ratios.contains(ratio) { plan.ratios.append(ratio) }
    return plan
  }

  /// Returns the settings with the shares of a flag's definition, if there are definitions.
  func settings(of flag: String?, on terminal: Terminal) throws(ToolError) -> AnalysisSettings {
    guard !definitions.isEmpty else { return settings }
    guard let flag = flag ?? plan.flag else { throw .data("--flag FLAG is missing: the aggregates do not name it") }
    var files: [DocumentSource.File] = []
    for path in definitions { files.append(try DocumentSource.File(reading: path, on: terminal)) }
    let planned = try PlannedShares(of: flag, in: files)
    var settings = settings
    (settings.weights, settings.isSplitPartial) = (planned.weights, planned.isPartial)
    return settings
  }

  /// The requested query; nil if none was requested.
  var query: AggregateQuery? {
    get throws(UsageError) {
      guard let dialect, let flag = plan.flag else { return nil }
      var query = AggregateQuery(dialect, flag: flag, joinPlan)
      if let exposureTable { query.exposures = exposureTable }
      if let conversionTable { query.conversions = conversionTable }
      for column in columns {
        do { try query.setColumn(column) } catch { throw UsageError("--column: \(error)") }
      }
      return query
    }
  }
}
