/// The tables and lines of a query for all users of a variant, or for those of each segment.
struct AggregateLevel {
  private let query: AggregateQuery
  private let isBySegment: Bool

  init(_ query: AggregateQuery, isBySegment: Bool) { (self.query, self.isBySegment) = (query, isBySegment) }

  private var dialect: SQLDialect { query.dialect }
  private var plan: JoinPlan { query.plan }
  private var prefix: String { isBySegment ? "segment_" : "" }
  private var keys: String { isBySegment ? "variant, segment" : "variant" }

  /// The tables of sums over users.
  var parts: String {
    """
    \(prefix)sums AS (
      SELECT \(keys), name, \(users) AS users, sum(events) AS events, sum(events * events) AS events_squares,
        sum(total) AS total, sum(total * total) AS total_squares,
        count(CASE WHEN total <> 0 THEN 1 END) AS nonzero, count(CASE WHEN total < 0 THEN 1 END) AS negative\(before)
      FROM per_user GROUP BY \(keys), name
    ), \(prefix)lists AS (
      SELECT \(keys), \(dialect.array(query.conversion())) AS conversions
      FROM \(prefix)sums GROUP BY \(keys)
    ), \(prefix)sizes AS (
      SELECT \(keys), count(CASE WHEN variants = 1 THEN 1 END) AS users,
        count(CASE WHEN variants > 1 THEN 1 END) AS users_of_several
      FROM exposed GROUP BY \(keys)
    )\(ratios)
    """
  }

  private var users: String { plan.measuresBefore ? "count(CASE WHEN events > 0 THEN 1 END)" : "count(*)" }

  /// The sums of conversions before the first exposure, and of their products with later ones.
  private var before: String {
    guard plan.measuresBefore else { return "" }
    return """
      ,
          count(CASE WHEN events_before > 0 THEN 1 END) AS users_before,
          count(CASE WHEN events > 0 AND events_before > 0 THEN 1 END) AS users_of_both,
          sum(events_before) AS events_before, sum(events_before * events_before) AS events_before_squares,
          sum(events * events_before) AS events_products, sum(total_before) AS total_before,
          sum(total_before * total_before) AS total_before_squares, sum(total * total_before) AS total_products
      """
  }

  /// The sums over users of the products of a ratio's numerator and denominator.
  private var ratios: String {
    if plan.ratios.isEmpty { return "" }
    let pairs = plan.ratios.map { ratio in
      """
      SELECT \(keys), \(dialect.literal("\(ratio)")) AS ratio, unit, \(number(ratio.numerator)) AS numerator,
            \(number(ratio.denominator)) AS denominator
          FROM per_user GROUP BY \(keys), unit
      """
    }
    let object = dialect.object([
      ("ratio", "ratio"), ("sumProducts", "products"), ("numerator", "numerator"),
      ("numeratorSquares", "numerator_squares"), ("denominator", "denominator"),
      ("denominatorSquares", "denominator_squares"),
    ])
    return """
      , \(prefix)products AS (
        SELECT \(keys), ratio, sum(numerator * denominator) AS products,
          sum(numerator) AS numerator, sum(numerator * numerator) AS numerator_squares,
          sum(denominator) AS denominator, sum(denominator * denominator) AS denominator_squares
        FROM (
          \(pairs.joined(separator: "\n    UNION ALL\n    "))
        ) AS pairs
        GROUP BY \(keys), ratio
      ), \(prefix)ratios AS (
        SELECT \(keys), \(dialect.array(object)) AS ratios FROM \(prefix)products GROUP BY \(keys)
      )
      """
  }

  private func number(_ measure: Measure) -> String {
    let number =
      switch measure.kind {
      case .share: "CASE WHEN events > 0 THEN 1 ELSE 0 END"
      case .count: "events"
      case .sum: plan.cap == nil ? "total" : "uncapped"
      }
    let value = "CASE WHEN name = \(dialect.literal(measure.name)) THEN \(number) ELSE 0 END"
    return "CAST(sum(\(value)) AS \(dialect.double))"
  }

  /// The lines of all variants, or of all variants of each segment.
  var lines: String {
    func join(_ table: String) -> String {
      let conditions = keys.split(separator: ", ").map { "\(prefix)\(table).\($0) = \(prefix)sizes.\($0)" }
      return " LEFT JOIN \(prefix)\(table) ON \(conditions.joined(separator: " AND "))"
    }
    let others = isBySegment ? "" : join("early") + join("visitor_sizes")
    return """
      SELECT \(dialect.text(line)) AS line
      FROM \(prefix)sizes\(join("lists"))\(plan.ratios.isEmpty ? "" : join("ratios"))\(others)
      WHERE \(prefix)sizes.users > 0
      """
  }

  private var line: String {
    let empty = dialect.emptyArray(like: query.conversion(ofNobody: true))
    var members: [SQLDialect.Member] = [
      ("schema", "1"), ("kind", isBySegment ? "'segment'" : "'variant'"), ("flag", dialect.literal(query.flag)),
      ("variant", "\(prefix)sizes.variant"), ("users", "\(prefix)sizes.users"),
      ("conversions", "COALESCE(\(prefix)lists.conversions, \(empty))"),
    ]
    if isBySegment {
      members += [("attribute", dialect.literal(plan.attribute ?? "")), ("segment", "segment_sizes.segment")]
    } else {
      members += [
        ("usersOfSeveralVariants", "sizes.users_of_several"), ("usersBefore", "COALESCE(early.users, 0)"),
        ("visitors", "COALESCE(visitor_sizes.visitors, 0)"),
        ("visitorsOfSeveralUnits", "COALESCE(visitor_sizes.of_several, 0)"),
      ]
    }
    if !plan.ratios.isEmpty { members.append(("ratios", "\(prefix)ratios.ratios")) }
    return dialect.object(members)
  }
}
