import FlagAnalysis
import FlagDefinitions
import FlagDomain
import FlagStatistics

/// What `flagctl analyze` is told: from which data, by which metrics, and what to write.
struct AnalyzeOptions {
  /// A file of events, and what is taken from it.
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

  static let options = analysisOptions + queryOptions

  private static let analysisOptions = [
    CommandOption(
      "--exposures", .file, "events, a line of JSON each; - for standard input; may be given several times"),
    CommandOption("--conversions", .file, "the same; a file that has both is named by both, or by"),
    CommandOption("--events", .file, "a file that has both"),
    CommandOption("--skip-broken", "counts broken lines, and goes on behind them"),
    CommandOption("--flag", .text("FLAG"), "the experiment (the only one there is, unless told otherwise)"),
    CommandOption(
      "--metric", .text("METRIC"),
      """
      NAME[:share|count|sum][:up|down]: of the conversions of one name, the share of users who
      have any, their number, or the sum of their values; may be given several times (the share
      for each name, unless told otherwise)
      """),
    CommandOption(
      "--guardrail", .text("METRIC=MARGIN"),
      "a metric that may get worse by the margin at most, such as crash:count:down=2%"),
    CommandOption("--control", .text("VARIANT"), "what others are compared with (control, or else the first by name)"),
    CommandOption(
      "--weights", .text("V=N,..."),
      "the share that each variant was given, such as a=1,b=2 (equal ones unless told otherwise)"),
    CommandOption("--absolute", "effects in the metric's unit, not as a part of control's mean"),
    CommandOption("--alpha", .text("NUMBER"), "one less the level of intervals (0.05 unless told otherwise)"),
    CommandOption(
      "--tuning", .text("NUMBER"), "the users at which sequential intervals are narrowest (5000 unless told otherwise)"),
    CommandOption(
      "--correction", .choice(["holm", "benjamini-hochberg", "none"]),
      "how p-values are corrected for there being many (holm unless told otherwise)"),
    CommandOption(
      "--window", .text("TIME"),
      """
      for how long after the first exposure of their user conversions count, such as 7d, 36h or
      90m (without an end, unless told otherwise); later ones are left out and counted
      """),
    CommandOption(
      "--covariate", .text("METRIC"),
      """
      adjusts a metric by its own value before the first exposure (CUPED), which narrows its
      intervals the more the two go together; NAME[:share|count|sum], may be given several times
      """),
    CommandOption(
      "--prior", .text("MEAN,VARIANCE"),
      """
      what is believed of relative effects before, for the chances to win, such as 0,0.09 (flat
      unless told otherwise)
      """),
    CommandOption("--json", "writes JSON, not text"),
    CommandOption("--html", "writes a page without scripts, not text"),
    CommandOption(
      "--temporary-folder", .text("F"),
      "where to put what does not fit into memory (the system's unless told otherwise)"),
  ]

  private static let queryOptions = [
    CommandOption("--aggregates", .file, "the result of a query of --sql: one line of JSON for each variant"),
    CommandOption("--sql", .text("ENGINE"), "prints the query that makes the aggregates inside that engine"),
    CommandOption("--exposure-table", .text("T"), "its table of exposures (exposures unless told otherwise)"),
    CommandOption("--conversion-table", .text("T"), "its table of conversions (conversions unless told otherwise)"),
    CommandOption(
      "--column", .text("COLUMN=NAME"),
      "the name of a column, such as exposure.unit=user_id; may be given several times"),
  ]

  static let help = """
    Says what an experiment did: for each metric and variant the effect, how sure it is, and what follows from it.

    usage: flagctl analyze --exposures FILE... --conversions FILE... [option ...]
           flagctl analyze --aggregates FILE [option ...]
           flagctl analyze --sql duckdb|postgres|spark --flag FLAG [option ...]

    \(analysisOptions.help)

    \(queryOptions.help)

    A user belongs to the variant of the first exposure; users of two variants, and conversions before the first
    exposure, are left out and counted. The exit code is 1 if the data cannot be analyzed, and where users are not
    divided as planned (p < 0.001), after the report.

    """
}

extension AnalyzeOptions {
  /// Takes an option.
  mutating func take(_ word: String, from arguments: inout Arguments) throws(UsageError) {
    switch word {
    case "--exposures": add(try arguments.value(of: word), exposures: true)
    case "--conversions": add(try arguments.value(of: word), conversions: true)
    case "--events": add(try arguments.value(of: word), exposures: true, conversions: true)
    case "--aggregates": aggregates = try arguments.value(of: word)
    case "--sql": dialect = try arguments.choice(of: word, SQLDialect.allCases) { $0.rawValue }
    case "--skip-broken": skipsBroken = true
    case "--flag": flag = try arguments.value(of: word)
    case "--json": form = .json
    case "--html": form = .html
    case "--temporary-folder": temporaryFolder = try arguments.value(of: word)
    case "--exposure-table": exposureTable = try arguments.value(of: word)
    case "--conversion-table": conversionTable = try arguments.value(of: word)
    case "--column": columns.append(try arguments.value(of: word))
    default: try takeSetting(word, from: &arguments)
    }
  }

  private mutating func takeSetting(_ word: String, from arguments: inout Arguments) throws(UsageError) {
    switch word {
    case "--metric", "--guardrail":
      let text = try arguments.value(of: word)
      settings.metrics.append(
        try UsageError.of(word) { () throws(AnalysisError) in try Metric(text, isGuardrail: word == "--guardrail") })
    case "--control": settings.control = try arguments.value(of: word)
    case "--weights": settings.weights = try weights(arguments.value(of: word))
    case "--absolute": settings.scale = .absolute
    case "--alpha": settings.alpha = try arguments.number(of: word, "above 0 and under 0.5") { $0 > 0 && $0 < 0.5 }
    case "--tuning": settings.tuning = try arguments.number(of: word, "above 0") { $0 > 0 }
    case "--window":
      let text = try arguments.value(of: word)
      window = try UsageError.of(word) { () throws(AnalysisError) in try ConversionWindow(text) }
    case "--covariate":
      let text = try arguments.value(of: word)
      settings.covariates.append(
        try UsageError.of(word) { () throws(AnalysisError) in try Metric(text, isGuardrail: false) })
    case "--prior": settings.prior = try prior(arguments.value(of: word))
    case "--correction":
      let names: [(String, MultipleTesting?)] = [
        ("holm", .holm), ("benjamini-hochberg", .benjaminiHochberg), ("none", nil),
      ]
      settings.correction = try arguments.choice(of: word, names) { $0.0 }.1
    default: throw UsageError("unknown argument \(word.excerpt)")
    }
  }

  private mutating func add(_ path: String, exposures: Bool = false, conversions: Bool = false) {
    let index = inputs.firstIndex { $0.path == path } ?? inputs.count
    if index == inputs.count { inputs.append(Input(path: path)) }
    inputs[index].hasExposures = inputs[index].hasExposures || exposures
    inputs[index].hasConversions = inputs[index].hasConversions || conversions
  }

  private func weights(_ text: String) throws(UsageError) -> [String: Double] {
    var weights: [String: Double] = [:]
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let sign = part.lastIndex(of: "="), sign > part.startIndex,
        let weight = Double(part[part.index(after: sign)...]), weight.isFinite, weight >= 0
      else { throw UsageError("--weights is a list such as a=1,b=2, found \(text.excerpt)") }
      weights[String(part[..<sign])] = weight
    }
    return weights
  }
}

extension AnalyzeOptions {
  private func prior(_ text: String) throws(UsageError) -> EffectPrior {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    let expected = UsageError("--prior is a mean, and a variance above 0, such as 0,0.09, found \(text.excerpt)")
    guard numbers.count == 2, let mean = numbers[0], let variance = numbers[1] else { throw expected }
    do { return try EffectPrior(mean: mean, variance: variance) } catch { throw expected }
  }

  /// Checks what the options say together.
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

  /// The query that is asked for; nil where none is.
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

extension UsageError {
  /// Returns what a closure makes of the value of an option, or says what is wrong with it.
  static func of<Value>(_ option: String, _ body: () throws(AnalysisError) -> Value) throws(UsageError) -> Value {
    do { return try body() } catch { throw UsageError("\(option): \(error)") }
  }
}
