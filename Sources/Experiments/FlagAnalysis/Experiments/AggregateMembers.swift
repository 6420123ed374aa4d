import FlagDomain
import FlagEvents
import FlagJSON
import FlagStatistics

/// The members of an object in a line of aggregates.
struct AggregateMembers {
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

  /// Returns a string that may be empty.
  func text(_ name: String) throws(AnalysisError) -> String {
    guard case .string(let text)? = fields[name] else { throw error(name, "a string") }
    return text
  }

  func integer(_ name: String) throws(AnalysisError) -> Int {
    guard let integer = Int(exactly: try number(name)) else { throw error(name, "a whole number") }
    return integer
  }

  /// Returns a count; some engines write counts as doubles.
  func count(_ name: String, upTo limit: Int = .max) throws(AnalysisError) -> Int {
    guard let count = Int(exactly: try number(name)), count >= 0 else {
      throw error(name, "a whole number of at least 0")
    }
    guard count <= limit else { throw error(name, "at most the variant's \(limit)") }
    return count
  }

  /// Returns whether a member is there; engines write a missing one as null.
  private func has(_ name: String) -> Bool { fields[name] ?? .null != .null }

  /// Returns a count of some of a variant's users, or of its visitors; nil if it is missing.
  func optionalCount(_ name: String, upTo limit: Int = .max) throws(AnalysisError) -> Int? {
    has(name) ? try count(name, upTo: limit) : nil
  }

  func number(_ name: String) throws(AnalysisError) -> Double {
    switch fields[name] {
    case .int(let number)?: return Double(number)
    case .double(let number, _)?: return number
    default: throw error(name, "a number")
    }
  }

  /// Returns an array of strings; an empty one if it is missing.
  func strings(_ name: String) throws(AnalysisError) -> [String] {
    guard has(name) else { return [] }
    guard case .array(let elements)? = fields[name], elements.allSatisfy({ $0.text != nil }) else {
      throw error(name, "an array of strings")
    }
    return elements.compactMap(\.text)
  }

  func optionalObjects(_ name: String) throws(AnalysisError) -> [AggregateMembers] {
    has(name) ? try objects(name) : []
  }

  func objects(_ name: String) throws(AnalysisError) -> [AggregateMembers] {
    guard case .array(let elements)? = fields[name] else { throw error(name, "an array") }
    var objects: [AggregateMembers] = []
    for (index, element) in elements.enumerated() {
      guard case .object(let fields) = element else {
        throw AnalysisError("\(path)\(name)[\(index)]: expected an object, found \(element.excerpt)")
      }
      objects.append(AggregateMembers(fields, path: "\(path)\(name)[\(index)]."))
    }
    return objects
  }

  /// Returns the statistics of one conversion, over all users of the variant.
  func statistics(of total: Int) throws(AnalysisError) -> ConversionStatistics {
    let users = try count("users", upTo: total)
    var statistics = ConversionStatistics(
      users: users, counts: try sample(of: total, "count", "countSquares"),
      values: try sample(
        of: total, "sum", "sumSquares", nonzero: try optionalCount("nonzero"), negative: try optionalCount("negative")))
    guard has("before") else { return statistics }
    guard case .object(let before)? = fields["before"] else { throw error("before", "an object") }
    statistics.before = try AggregateMembers(before, path: "\(path)before.").covariate(of: statistics, total)
    return statistics
  }

  /// Returns the statistics of users before their first exposure, paired with those since.
  private func covariate(of since: ConversionStatistics, _ total: Int) throws(AnalysisError) -> CovariateStatistics {
    let (users, both) = (try count("users", upTo: total), try count("usersOfBoth"))
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

  /// Returns the statistics of a ratio, with the sum of its numbers' products.
  ///
  /// Without sums of its own its numbers are those that the variant has.
  func paired(_ ratio: Ratio, of variant: ExperimentData.Variant) throws(AnalysisError) -> PairedStatistics {
    func sample(_ measure: Measure, _ name: String) throws(AnalysisError) -> SampleStatistics {
      if fields[name] != nil { return try self.sample(of: variant.users, name, "\(name)Squares") }
      return try checked { () throws(StatisticsError) in
        let none = try SampleStatistics(count: variant.users, sum: 0, sumOfSquares: 0)
        guard let conversions = variant.conversions[measure.name] else { return none }
        return try conversions.sample(measure.kind, of: variant.users)
      }
    }
    return try paired(
      try sample(ratio.numerator, "numerator"), try sample(ratio.denominator, "denominator"),
      try number("sumProducts"))
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

  private func sample(
    of users: Int, _ sum: String, _ squares: String, nonzero: Int? = nil, negative: Int? = nil
  ) throws(AnalysisError) -> SampleStatistics {
    let (total, sumOfSquares) = (try number(sum), try number(squares))
    let names = ["sum": sum, "sumOfSquares": squares, "nonzeroCount": "nonzero", "negativeCount": "negative"]
    return try checked(names) { () throws(StatisticsError) in
      try SampleStatistics(
        count: users, sum: total, sumOfSquares: sumOfSquares, nonzeroCount: nonzero, negativeCount: negative)
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
