import FlagDomain
import FlagEvents
import FlagJSON
import FlagStatistics

/// A reader of counts and sums from another engine, with one line for each variant.
///
/// A line is `{"schema": 1, "kind": "variant", "flag", "variant", "users", "usersOfSeveralVariants", "usersBefore",
/// "conversions": [{"name", "users", "count", "countSquares", "sum", "sumSquares"}], "ratios": [{"ratio",
/// "sumProducts"}]}`, the squares and products being sums over users. The counts of users of several variants and of
/// those with conversions before the first exposure may be missing, and so may ratios. A ratio may have the sums of its
/// own `numerator` and `denominator`, and `numeratorSquares` and `denominatorSquares`; otherwise these are those of the
/// conversions, which may be capped, while ratios are not. A line may have `visitors`, the
/// number of visitors by the variant that they saw first, and `visitorsOfSeveralUnits`, that of several users each. A
/// conversion may have `nonzero` and `negative`, the numbers of users with a sum other than 0, and below 0, and
/// `before`, an object with the same members for the time before users' first exposure, with `usersOfBoth`,
/// `countProducts` and `sumProducts`: sums of a user's number before the exposure times the number since.
///
/// Lines of the kind `segment` are the same for the users with one value of an attribute, with the members `attribute`
/// and `segment`. Lines of the kind `day` contain the increments of one `day`, since 1970, to the sums of a variant. A
/// line of the kind `excluded` contains the excluded counts. Other kinds and members are ignored.
package struct AggregateReader: Sendable {
  private var data = ExperimentData()
  private var days: [DayLine] = []

  /// The increments of a variant's sums on one day.
  private struct DayLine {
    let day: Int
    let variant: String
    let users: Int
    let increments: [(name: String, increment: DaySums.Increment)]
  }

  package init() {}

  package mutating func add(_ line: [UInt8]) throws(AnalysisError) {
    let members = try AggregateMembers(line)
    switch members.fields["kind"] {
    case .string("variant")?: try addVariant(members)
    case .string("segment")?: try addSegment(members)
    case .string("day")?: try addDay(members)
    case .string("excluded")?: try addExcluded(members)
    default: data.notes.unknownKinds += 1
    }
  }

  /// Returns the data of all lines.
  ///
  /// - Throws: An error if days are of unknown variants, or too many.
  package func finish() throws(AnalysisError) -> ExperimentData {
    var data = data
    try addDays(to: &data)
    data.sortVariants()
    return data
  }

  private func addDays(to data: inout ExperimentData) throws(AnalysisError) {
    if days.isEmpty { return }
    let names = Set(days.flatMap { $0.increments.map(\.name) }).sorted()
    var sums = DaySums(variants: data.variants.count, names: names.count)
    for line in days {
      guard let variant = data.variants.firstIndex(where: { $0.name == line.variant }) else {
        throw AnalysisError("a day of \(line.variant.quoted): expected a line of the kind variant for it, found none")
      }
      data.variants[variant].usersByDay[line.day, default: 0] += line.users
      for (name, increment) in line.increments {
        guard let name = names.firstIndex(of: name) else { continue }
        sums.add(increment, on: line.day, variant: variant, name: name)
      }
    }
    data.days = try sums.cumulated(data.variants, Array(data.variants.indices), names)
  }

  private mutating func addVariant(_ members: AggregateMembers) throws(AnalysisError) {
    let variant = try variant(of: members)
    guard !data.variants.contains(where: { $0.name == variant.name }) else {
      throw AnalysisError("variant: expected one line for \(variant.name.quoted), found another one")
    }
    data.variants.append(variant)
  }

  private mutating func addSegment(_ members: AggregateMembers) throws(AnalysisError) {
    let (variant, name) = (try variant(of: members), try members.text("segment"))
    data.attribute = try members.string("attribute")
    let index = data.segments.firstIndex { $0.name == name } ?? data.segments.count
    if index == data.segments.count { data.segments.append(ExperimentData.Segment(name: name, variants: [])) }
    guard !data.segments[index].variants.contains(where: { $0.name == variant.name }) else {
      throw AnalysisError(
        "variant: expected one line for \(variant.name.quoted) of \(name.quoted), found another one")
    }
    data.segments[index].variants.append(variant)
  }

  private mutating func addDay(_ members: AggregateMembers) throws(AnalysisError) {
    try addFlag(members)
    var increments: [(name: String, increment: DaySums.Increment)] = []
    for part in try members.objects("conversions") {
      let increment = DaySums.Increment(
        users: try part.count("users"), count: try part.number("count"), countSquares: try part.number("countSquares"),
        sum: try part.number("sum"), sumSquares: try part.number("sumSquares"))
      increments.append((try part.string("name"), increment))
    }
    days.append(
      DayLine(
        day: try members.integer("day"), variant: try members.string("variant"), users: try members.count("users"),
        increments: increments))
  }

  private mutating func addFlag(_ members: AggregateMembers) throws(AnalysisError) {
    guard case .string(let flag)? = members.fields["flag"] else { return }
    guard data.flag == nil || data.flag == flag else {
      throw AnalysisError("flag: expected \((data.flag ?? "").quoted) as before, found \(flag.quoted)")
    }
    data.flag = flag
  }

  private mutating func variant(of members: AggregateMembers) throws(AnalysisError) -> ExperimentData.Variant {
    try addFlag(members)
    var variant = ExperimentData.Variant(name: try members.string("variant"), users: try members.count("users"))
    variant.usersOfSeveral = try members.optionalCount("usersOfSeveralVariants")
    variant.usersBefore = try members.optionalCount("usersBefore", upTo: variant.users)
    variant.visitors = try members.optionalCount("visitors")
    variant.visitorsOfSeveralUnits = try members.optionalCount("visitorsOfSeveralUnits", upTo: variant.visitors ?? 0)
    for part in try members.objects("conversions") {
      let name = try part.string("name")
      variant.conversions[name] = try part.statistics(of: variant.users)
    }
    for part in try members.optionalObjects("ratios") {
      let text = try part.string("ratio")
      guard let ratio = try Metric(text, isGuardrail: false).ratio else {
        throw part.error("ratio", "two numbers such as purchase:sum:per:order:count")
      }
      variant.ratios[ratio] = try part.paired(ratio, of: variant)
    }
    return variant
  }

  private mutating func addExcluded(_ members: AggregateMembers) throws(AnalysisError) {
    data.excluded.usersOfSeveralVariants = try members.count("usersOfSeveralVariants")
    data.excluded.conversionsBefore = try members.count("conversionsBefore")
    data.excluded.conversionsOfOthers = try members.count("conversionsOfOthers")
    data.excluded.duplicates = try members.count("duplicates")
    data.visitorsOfSeveralVariants = try members.optionalCount("visitorsOfSeveralVariants") ?? 0
    let attributes = try members.strings("unitAttributes")
    if attributes.count > 1 { throw AnalysisError(severalUnits: attributes) }
    data.units = UnitExamples(
      attribute: attributes.first, exposed: try members.strings("exposed"), converted: try members.strings("converted"))
    if members.fields["capMillionths"] != nil {
      data.cap = CapQuantile(millionths: try members.count("capMillionths"))
      if data.cap == nil { throw members.error("capMillionths", "a number above 0 and below a million") }
      for part in try members.optionalObjects("caps") { data.caps[try part.string("name")] = try part.number("value") }
    }
    guard members.fields["windowSeconds"] != nil else { return }
    data.excluded.conversionsAfter = try members.count("conversionsAfter")
    data.window = ConversionWindow(seconds: try members.count("windowSeconds"))
    if data.window == nil { throw members.error("windowSeconds", "at least 1, and a hundred years at most") }
  }
}
