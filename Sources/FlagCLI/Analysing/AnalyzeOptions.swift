import FlagAnalysis
import FlagDefinitions
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
  private(set) var flag: String?
  private(set) var window: ConversionWindow?
  private(set) var form = Form.text
  private(set) var skipsBroken = false
  private(set) var temporaryFolder: String?
  private var exposureTable: String?
  private var conversionTable: String?
  private var columns: [String] = []

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
    Option("--exposures", .file, "events, a line of JSON each; - for standard input; may be given several times") {
      $0.add($1, exposures: true)
    }
    Option("--conversions", .file, "the same; a file that has both is named by both, or by") {
      $0.add($1, conversions: true)
    }
    Option("--events", .file, "a file that has both") { $0.add($1, exposures: true, conversions: true) }
    Option("--skip-broken", "counts malformed lines, and skips them", \.skipsBroken)
    Option("--flag", .text("FLAG"), "the experiment (default: the only one there is)", \.flag)
  }

  @OptionsBuilder<Self> private static var settingOptions: [Option<Self>] {
    Option(
      "--metric", .metric(),
      """
      NAME[:share|count|sum][:up|down]: of the conversions of one name, the share of users who
      have any, their number, or the sum of their values; may be given several times (default: the
      share for each name)
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
      """, \.window)
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

  static let help = """
    Analyzes an experiment: the effect of each variant on each metric, its uncertainty, and a verdict.

    usage: flagctl analyze --exposures FILE... --conversions FILE... [option ...]
           flagctl analyze --aggregates FILE [option ...]
           flagctl analyze --sql duckdb|postgres|spark --flag FLAG [option ...]

    \(analysisOptions.help())

    \(queryOptions.help())

    A user belongs to the variant of the first exposure; users of two variants, and conversions before the first
    exposure, are left out and counted. The exit code is 1 if the data cannot be analyzed, or if users are not
    divided as planned (p < 0.001), after the report.

    """
}

extension AnalyzeOptions {
  private mutating func add(_ path: String, exposures: Bool = false, conversions: Bool = false) {
    let index = inputs.firstIndex { $0.path == path } ?? inputs.count
    if index == inputs.count { inputs.append(Input(path: path)) }
    inputs[index].hasExposures = inputs[index].hasExposures || exposures
    inputs[index].hasConversions = inputs[index].hasConversions || conversions
  }

  /// Validates the combination of options.
  func check() throws(UsageError) {
    let sources = [!inputs.isEmpty, aggregates != nil, dialect != nil].count { $0 }
    guard sources == 1 else {
      throw UsageError("one of --exposures and --conversions, --aggregates and --sql is expected, found \(sources)")
    }
    if dialect != nil {
      if flag == nil { throw UsageError("--flag FLAG is missing") }
    } else if exposureTable != nil || conversionTable != nil || !columns.isEmpty {
      throw UsageError("--exposure-table, --conversion-table and --column are for --sql")
    }
    if aggregates != nil, window != nil { throw UsageError("--window is for events and --sql: aggregates have theirs") }
    guard !inputs.isEmpty else { return }
    if !inputs.contains(where: \.hasExposures) { throw UsageError("--exposures FILE is missing") }
    if !inputs.contains(where: \.hasConversions) { throw UsageError("--conversions FILE is missing") }
  }

  /// The requested query; nil if none was requested.
  var query: AggregateQuery? {
    get throws(UsageError) {
      guard let dialect, let flag else { return nil }
      var query = AggregateQuery(dialect, flag: flag)
      query.names = Set(settings.metrics.map(\.name)).sorted()
      (query.window, query.measuresBefore) = (window, !settings.covariates.isEmpty)
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
  fileprivate static func metric(_ name: String = "METRIC", isGuardrail: Bool = false) -> Self {
    .parsed(name) { (text) throws(AnalysisError) in try Metric(text, isGuardrail: isGuardrail) }
  }
}

extension OptionValue<MultipleTesting?> {
  fileprivate static var correction: Self {
    .choice([("holm", .holm), ("benjamini-hochberg", .benjaminiHochberg), ("none", nil)])
  }
}

extension OptionValue<[String: Double]> {
  fileprivate static var weights: Self {
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
  fileprivate static var prior: Self {
    Self(.text("MEAN,VARIANCE")) { (option, text) throws(UsageError) in
      let expected = "\(option) is a mean, and a variance above 0, such as 0,0.09, found \(text.excerpt)"
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
      guard numbers.count == 2, let mean = numbers[0], let variance = numbers[1] else { throw UsageError(expected) }
      do { return try EffectPrior(mean: mean, variance: variance) } catch { throw UsageError(expected) }
    }
  }
}
