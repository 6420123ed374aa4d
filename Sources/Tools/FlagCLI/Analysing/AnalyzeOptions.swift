import FlagAnalysis
import FlagDomain
import FlagStatistics

/// The options of `flagctl analyze`: input, metrics and output.
struct AnalyzeOptions: OptionGroup {
  /// A file of events, and the kinds of events that are read from it.
  struct Input {
    let path: String
    var hasExposures = false
    var hasConversions = false
  }

  enum Form { case text, json, html }

  private(set) var inputs: [Input] = []
  private(set) var aggregates: String?
  private(set) var dialect: SQLDialect?
  private(set) var settings = AnalysisSettings()
  private(set) var definitions: [String] = []
  private(set) var plan = JoinPlan()
  private(set) var form = Form.text
  private(set) var skipsBroken = false
  private(set) var temporaryFolder: String?
  private(set) var exposureTable: String?
  private(set) var conversionTable: String?
  private(set) var columns: [String] = []

  static var options: [Option<Self>] {
    analysisOptions
    queryOptions
  }

  @OptionsBuilder<Self> private static var analysisOptions: [Option<Self>] {
    inputOptions
    settingOptions
    Option("--json", "writes JSON, not text", \.form, is: .json)
    Option("--html", "writes a page without scripts, not text", \.form, is: .html)
    Option(
      "--temporary-folder", .text("F"),
      "the folder for data that does not fit into memory (default: the system's)", \.temporaryFolder)
  }

  @OptionsBuilder<Self> private static var inputOptions: [Option<Self>] {
    Option(
      "--exposures", .file, "events, a line of JSON each; - for standard input; may be given several times",
      isRepeatable: true
    ) { $0.add($1, exposures: true) }
    Option(
      "--conversions", .file, "the same; a file that has both is named by both, or by", isRepeatable: true
    ) { $0.add($1, conversions: true) }
    Option("--events", .file, "a file that has both", isRepeatable: true) {
      $0.add($1, exposures: true, conversions: true)
    }
    Option("--skip-broken", "counts malformed lines, and skips them", \.skipsBroken)
    Option("--flag", .text("FLAG"), "the experiment (default: the only one there is)", \.plan.flag)
    Option(
      "--unit", .text("ATTRIBUTE"),
      "what it counts, if its exposures name several, such as visitorID (default: the only one)", \.plan.unit)
  }

  @OptionsBuilder<Self> private static var settingOptions: [Option<Self>] {
    Option(
      "--metric", .metric(),
      """
      NAME[:share|count|sum][:up|down]: of the conversions of one name, the share of users who
      have any, their number, or the sum of their values; may be given several times (default: the
      share for each name); one :per: another, as in purchase:sum:per:order:count, divides their
      sums over all users
      """, addingTo: \.settings.metrics)
    Option(
      "--guardrail", .metric("METRIC=MARGIN", isGuardrail: true),
      "a metric that may get worse by the margin at most, such as crash:count:down=2%", addingTo: \.settings.metrics)
    Option(
      "--control", .text("VARIANT"), "what others are compared with (control, or else the first by name)",
      \.settings.control)
    Option(
      "--weights", .weights,
      "the share that each variant was given, such as a=1,b=2 (default: equal ones)", \.settings.weights)
    Option(
      "--flags", .file,
      """
      the definitions, from whose split the shares are read instead; of several files with the
      flag, the last one counts
      """, addingTo: \.definitions)
    Option(
      "--tolerance", .parsed("SHARE") { (text) throws(AnalysisError) in try Self.share(text) },
      """
      the maximum accepted share of lost events, and of users of several variants (default: 1%)
      """, \.settings.tolerance)
    Option(
      "--absolute", "effects in the metric's unit, not as a part of control's mean", \.settings.scale, is: .absolute)
    Option(
      "--alpha", .number("above 0 and under 0.5") { $0 > 0 && $0 < 0.5 },
      "the significance level, one minus the confidence level of intervals (default: 0.05)", \.settings.alpha)
    Option(
      "--tuning", .number("above 0") { $0 > 0 },
      "the users at which sequential intervals are narrowest (default: 5000)", \.settings.tuning)
    Option(
      "--one-look", "decides by the test for one look, whose time was planned, not by the sequential one",
      \.settings.looks, is: .one)
    Option(
      "--conversions-at-least", .integer(in: 0...1_000_000_000),
      """
      the minimum number of users of a variant and control together who have converted, below which
      there is no verdict (default: 20; more if one group is smaller, which must expect half)
      """, \.settings.leastConversions)
    Option(
      "--correction", .correction, "the correction of p-values for multiple comparisons (default: holm)",
      \.settings.correction)
    Option(
      "--window", .parsed("TIME") { (text) throws(AnalysisError) in try ConversionWindow(text) },
      """
      for how long after the first exposure of their user conversions count, such as 7d, 36h or
      90m (default: without an end); later ones are left out and counted
      """, \.plan.window)
    Option(
      "--cap", .parsed("QUANTILE") { (text) throws(AnalysisError) in try CapQuantile(text) },
      """
      limits the sum of values of each user to this quantile of all users with any, of all
      variants together, such as 99%
      """, \.plan.cap)
    Option(
      "--by", .text("ATTRIBUTE"),
      """
      the effects also by the value of an attribute of the first exposure, with p-values that are
      corrected over all values
      """, \.plan.attribute)
    Option("--over-time", "the effects also as they were by the end of each day", \.plan.measuresDays)
    Option(
      "--covariate", .metric(),
      """
      adjusts a metric by its own value before the first exposure (CUPED), which narrows its
      intervals the more the two go together; NAME[:share|count|sum], may be given several times
      """, addingTo: \.settings.covariates)
    Option(
      "--prior", .prior,
      """
      the prior belief about relative effects, for the chances to win, such as 0,0.09 (default:
      flat)
      """, \.settings.prior)
  }

  @OptionsBuilder<Self> private static var queryOptions: [Option<Self>] {
    Option("--aggregates", .file, "the result of a query of --sql: one line of JSON for each variant", \.aggregates)
    Option(
      "--sql", .choice(called: "ENGINE"), "prints the query that makes the aggregates inside that engine", \.dialect)
    Option("--exposure-table", .text("T"), "its table of exposures (default: exposures)", \.exposureTable)
    Option(
      "--conversion-table", .text("T"), "its table of conversions (default: conversions)",
      \.conversionTable)
    Option(
      "--column", .text("COLUMN=NAME"),
      "the name of a column, such as exposure.unit=user_id; may be given several times", addingTo: \.columns)
  }

  private mutating func add(_ path: String, exposures: Bool = false, conversions: Bool = false) {
    let index = inputs.firstIndex { $0.path == path } ?? inputs.count
    if index == inputs.count { inputs.append(Input(path: path)) }
    inputs[index].hasExposures = inputs[index].hasExposures || exposures
    inputs[index].hasConversions = inputs[index].hasConversions || conversions
  }

  private static func share(_ text: String) throws(AnalysisError) -> Double {
    guard let share = Double(percentage: text[...]), (0...1).contains(share) else {
      throw AnalysisError("expected a share such as 1% or 0.01, found \(text.excerpt)")
    }
    return share
  }
}

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
    let planned = try PlannedShares(of: flag, in: terminal.definitions(at: definitions))
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

extension OptionValue<Metric> {
  static func metric(_ name: String = "METRIC", isGuardrail: Bool = false) -> Self {
    .parsed(name) { (text) throws(AnalysisError) in try Metric(text, isGuardrail: isGuardrail) }
  }
}

extension OptionValue<MultipleTesting?> {
  static var correction: Self {
    .choice([("holm", .holm), ("benjamini-hochberg", .benjaminiHochberg), ("none", nil)])
  }
}

extension OptionValue<[String: Double]> {
  static var weights: Self {
    Self("V=N,...", "is a list such as a=1,b=2") { text in
      var weights: [String: Double] = [:]
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        guard let sign = part.lastIndex(of: "="), sign > part.startIndex,
          let weight = Double(part[part.index(after: sign)...]), weight.isFinite, weight >= 0
        else { return nil }
        weights[String(part[..<sign])] = weight
      }
      return weights
    }
  }
}

extension OptionValue<EffectPrior> {
  static var prior: Self {
    Self(.text("MEAN,VARIANCE")) { (option, text) throws(UsageError) in
      let expected = "\(option) is a mean, and a variance above 0, such as 0,0.09, found \(text.excerpt)"
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
      guard numbers.count == 2, let mean = numbers[0], let variance = numbers[1] else { throw UsageError(expected) }
      return try mapError(try EffectPrior(mean: mean, variance: variance)) { (_: any Error) in UsageError(expected) }
    }
  }
}
