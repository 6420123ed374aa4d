extension AggregateQuery {
  /// The conversions that count.
  var counted: String {
    "variants = 1\(plan.measuresBefore ? "" : " AND NOT is_before")\(plan.window == nil ? "" : " AND NOT is_after")"
  }

  /// The tables of each user's numbers by name, capped if the plan says so.
  var perUser: String {
    let keys = "variant, \(plan.attribute == nil ? "" : "segment, ")name, unit"
    let totals = """
      totals AS (
        SELECT \(keys), \(activity)
        FROM joined WHERE \(counted)
        GROUP BY \(keys)
      )
      """
    guard let cap = plan.cap else { return "\(totals), per_user AS (SELECT * FROM totals)" }
    let before = plan.measuresBefore ? ", events_before, total_before" : ""
    return """
      \(totals), ordered AS (
        SELECT name, total, CAST(row_number() OVER (PARTITION BY name ORDER BY total) AS bigint) AS place,
          count(*) OVER (PARTITION BY name) AS users
        FROM totals WHERE events > 0
      ), caps AS (
        SELECT name, min(total) AS cap FROM ordered
        WHERE place * \(CapQuantile.million) >= users * \(cap.millionths) GROUP BY name
      ), per_user AS (
        SELECT \(keys.replacing("name", with: "totals.name")), events\(before), total AS uncapped,
          CASE WHEN events > 0 AND total > cap THEN cap ELSE total END AS total
        FROM totals LEFT JOIN caps ON caps.name = totals.name
      )
      """
  }

  private var activity: String {
    func sum(_ value: String) -> String { "CAST(sum(\(value)) AS \(dialect.double))" }
    guard plan.measuresBefore else {
      return "CAST(count(*) AS \(dialect.double)) AS events, \(sum("amount")) AS total"
    }
    return """
      \(sum("CASE WHEN is_before THEN 0 ELSE 1 END")) AS events,
          \(sum("CASE WHEN is_before THEN 0 ELSE amount END")) AS total,
          \(sum("CASE WHEN is_before THEN 1 ELSE 0 END")) AS events_before,
          \(sum("CASE WHEN is_before THEN amount ELSE 0 END")) AS total_before
      """
  }

  /// Returns the object of the conversions with one name; of zeros for no users, to give an empty array its type.
  func conversion(ofNobody: Bool = false, ofDay: Bool = false) -> String {
    let zero = "CAST(0 AS bigint)"
    let none = ["name": "''", "users": zero, "usersOfBoth": zero, "nonzero": zero, "negative": zero]
    func object(_ members: [SQLDialect.Member]) -> String {
      guard ofNobody else { return dialect.object(members) }
      return dialect.object(members.map { ($0, $0 == "before" ? $1 : none[$0] ?? "CAST(0 AS double)") })
    }
    let before = object([
      ("users", "users_before"), ("usersOfBoth", "users_of_both"), ("count", "events_before"),
      ("countSquares", "events_before_squares"), ("countProducts", "events_products"), ("sum", "total_before"),
      ("sumSquares", "total_before_squares"), ("sumProducts", "total_products"),
    ])
    return object(
      [
        ("name", "name"), ("users", "users"), ("count", "events"), ("countSquares", "events_squares"),
        ("sum", "total"), ("sumSquares", "total_squares"),
      ] + (ofDay ? [] : [("nonzero", "nonzero"), ("negative", "negative")])
        + (plan.measuresBefore && !ofDay ? [("before", before)] : []))
  }
}
