import FlagDomain
import FlagEvents
import FlagJSON
import FlagStatistics

/// A reader of counts and sums from another engine, with one line for each variant.
///
/// A line is `{"schema": 1, "kind": "variant", "flag", "variant", "users", "usersOfSeveralVariants", "usersBefore",
/// "conversions": [{"name", "users", "count", "countSquares", "sum", "sumSquares"}]}`, the squares being sums over
/// users, and the counts of users of several variants and with conversions before the first exposure being optional; an
/// additional line of the kind `excluded` contains the excluded counts. A conversion may have `before`, an object with the same members for the
/// time before users' first exposure, with `usersOfBoth`, `countProducts` and `sumProducts`: sums of a user's number
/// before the exposure times the number since. Other kinds and members are ignored.
package struct AggregateReader: Sendable {
  private var data = ExperimentData()

  package init() {}
}

extension AggregateReader {
  package mutating func add(_ line: [UInt8]) throws(AnalysisError) {
    let members = try Members(line)
    switch members.fields["kind"] {
    case .string("variant")?: try addVariant(members)
    case .string("excluded")?: try addExcluded(members)
    default: data.notes.unknownKinds += 1
    }
  }

  package func finish() -> ExperimentData {
    var data = data
    data.sortVariants()
    return data
  }
}

extension AggregateReader {
  private mutating func addVariant(_ members: Members) throws(AnalysisError) {
    if case .string(let flag)? = members.fields["flag"] {
      guard data.flag == nil || data.flag == flag else {
        throw AnalysisError("flag: expected \((data.flag ?? "").quoted) as before, found \(flag.quoted)")
      }
      data.flag = flag
    }
    var variant = ExperimentData.Variant(name: try members.string("variant"), users: try members.count("users"))
    guard !data.variants.contains(where: { $0.name == variant.name }) else {
      throw AnalysisError("variant: expected one line for \(variant.name.quoted), found another one")
    }
    variant.usersOfSeveral = try members.optionalCount("usersOfSeveralVariants")
    variant.usersBefore = try members.optionalCount("usersBefore", upTo: variant.users)
    for part in try members.objects("conversions") {
      let name = try part.string("name")
      variant.conversions[name] = try part.statistics(of: variant.users)
    }
    data.variants.append(variant)
  }

  private mutating func addExcluded(_ members: Members) throws(AnalysisError) {
    data.excluded.usersOfSeveralVariants = try members.count("usersOfSeveralVariants")
    data.excluded.conversionsBefore = try members.count("conversionsBefore")
    data.excluded.conversionsOfOthers = try members.count("conversionsOfOthers")
    data.excluded.duplicates = try members.count("duplicates")
    guard members.fields["windowSeconds"] != nil else { return }
    data.excluded.conversionsAfter = try members.count("conversionsAfter")
    data.window = ConversionWindow(seconds: try members.count("windowSeconds"))
    if data.window == nil { throw members.error("windowSeconds", "at least 1, and a hundred years at most") }
  }
}

private struct Members {
  let fields: [String: FlagValue]
  var path = ""

  init(_ line: [UInt8]) throws(AnalysisError) {
    let value: FlagValue
    do { value = try FlagValue(json: line) } catch { throw AnalysisError("column \(error.offset + 1): \(error)") }
    guard case .object(let fields) = value else { throw AnalysisError("expected an object, found \(value.excerpt)") }
    if let schema = fields["schema"], schema != 1 { throw AnalysisError("schema: expected 1, found \(schema.excerpt)") }
    self.fields = fields
  }

  private init(_ fields: [String: FlagValue], path: String) { (self.fields, self.path) = (fields, path) }

  func error(_ name: String, _ expected: String) -> AnalysisError {
    AnalysisError("\(path)\(name): expected \(expected), found \(fields[name].excerpt)")
  }

  func string(_ name: String) throws(AnalysisError) -> String {
    guard case .string(let text)? = fields[name], !text.isEmpty else {
      throw error(name, "a string that is not empty")
    }
    return text
  }

  /// Returns a count; some engines write counts as doubles.
  func count(_ name: String) throws(AnalysisError) -> Int {
    guard let count = Int(exactly: try number(name)), count >= 0 else {
      throw error(name, "a whole number of at least 0")
    }
    return count
  }

  func optionalCount(_ name: String, upTo limit: Int = .max) throws(AnalysisError) -> Int? {
    switch fields[name] {
    case nil, .null?: return nil
    default:
      let count = try count(name)
      guard count <= limit else { throw error(name, "at most the variant's \(limit)") }
      return count
    }
  }

  func number(_ name: String) throws(AnalysisError) -> Double {
    switch fields[name] {
    case .int(let number)?: return Double(number)
    case .double(let number)?: return number
    default: throw error(name, "a number")
    }
  }

  func objects(_ name: String) throws(AnalysisError) -> [Members] {
    guard case .array(let elements)? = fields[name] else { throw error(name, "an array") }
    var objects: [Members] = []
    for (index, element) in elements.enumerated() {
      guard case .object(let fields) = element else {
        throw AnalysisError("\(path)\(name)[\(index)]: expected an object, found \(element.excerpt)")
      }
      objects.append(Members(fields, path: "\(path)\(name)[\(index)]."))
    }
    return objects
  }

  /// Returns the statistics of one conversion, over all users of the variant.
  func statistics(of total: Int) throws(AnalysisError) -> ConversionStatistics {
    let users = try count("users")
    guard users <= total else { throw error("users", "at most the variant's \(total)") }
    var statistics = ConversionStatistics(
      users: users, counts: try sample(of: total, "count", "countSquares"),
      values: try sample(of: total, "sum", "sumSquares"))
    switch fields["before"] {
    case nil, .null?: break
    case .object(let before)?:
      statistics.before = try Members(before, path: "\(path)before.").covariate(of: statistics, total)
    default: throw error("before", "an object")
    }
    return statistics
  }

  /// Returns the statistics of users before their first exposure, paired with those since.
  private func covariate(of since: ConversionStatistics, _ total: Int) throws(AnalysisError) -> CovariateStatistics {
    let (users, both) = (try count("users"), try count("usersOfBoth"))
    guard users <= total else { throw error("users", "at most the variant's \(total)") }
    guard both <= min(users, since.users) else {
      throw error("usersOfBoth", "at most \(min(users, since.users)), those before and those since")
    }
    var covariate = CovariateStatistics()
    covariate.shares = try paired(
      try indicator(of: since.users, among: total), try indicator(of: users, among: total), Double(both))
    covariate.counts = try paired(
      since.counts, try sample(of: total, "count", "countSquares"), try number("countProducts"))
    covariate.values = try paired(since.values, try sample(of: total, "sum", "sumSquares"), try number("sumProducts"))
    return covariate
  }

  private func paired(
    _ outcome: SampleStatistics, _ covariate: SampleStatistics, _ products: Double
  ) throws(AnalysisError) -> PairedStatistics {
    try checked { () throws(StatisticsError) in
      try PairedStatistics(outcome: outcome, covariate: covariate, sumOfProducts: products)
    }
  }

  /// Returns the statistics of an indicator: 1 for some users, and 0 for the others.
  private func indicator(of users: Int, among total: Int) throws(AnalysisError) -> SampleStatistics {
    try checked { () throws(StatisticsError) in
      try SampleStatistics(count: total, sum: Double(users), sumOfSquares: Double(users))
    }
  }

  private func sample(of users: Int, _ sum: String, _ squares: String) throws(AnalysisError) -> SampleStatistics {
    let (total, sumOfSquares) = (try number(sum), try number(squares))
    return try checked(["sum": sum, "sumOfSquares": squares]) { () throws(StatisticsError) in
      try SampleStatistics(count: users, sum: total, sumOfSquares: sumOfSquares)
    }
  }

  /// Returns a closure's result, or throws its error under the member's name in this line.
  private func checked<Value>(
    _ names: [String: String] = [:], _ make: () throws(StatisticsError) -> Value
  ) throws(AnalysisError) -> Value {
    do { return try make() } catch {
      throw AnalysisError("\(path)\(names[error.subject] ?? error.subject): \(error.message)")
    }
  }
}
