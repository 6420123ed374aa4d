extension AggregateQuery {
  /// The tables of what each day adds to the sums over a variant's users.
  var days: String {
    """
    day_totals AS (
      SELECT variant, name, unit, \(dialect.day("converted_at")) AS day,
        CAST(count(*) AS \(dialect.double)) AS events, CAST(sum(amount) AS \(dialect.double)) AS total
      FROM joined WHERE \(counted)\(plan.measuresBefore ? " AND NOT is_before" : "")
      GROUP BY variant, name, unit, \(dialect.day("converted_at"))
    ), running AS (
      SELECT variant, name, unit, day, events, sum(events) OVER (PARTITION BY unit, name ORDER BY day) AS events_now,
        sum(total) OVER (PARTITION BY unit, name ORDER BY day) AS total_now
      FROM day_totals
    ), limited AS (
      \(limited)
    ), steps AS (
      SELECT variant, name, day, events, events_now, total_now,
        COALESCE(lag(total_now) OVER (PARTITION BY unit, name ORDER BY day), 0) AS total_then
      FROM limited
    ), day_sums AS (
      SELECT variant, name, day, count(CASE WHEN events_now = events THEN 1 END) AS users, sum(events) AS events,
        sum(events * (2 * events_now - events)) AS events_squares, sum(total_now - total_then) AS total,
        sum(total_now * total_now - total_then * total_then) AS total_squares
      FROM steps GROUP BY variant, name, day
    ), day_lists AS (
      SELECT variant, day, \(dialect.array(conversion(ofDay: true))) AS conversions
      FROM day_sums GROUP BY variant, day
    ), day_sizes AS (
      SELECT variant, \(dialect.day("first_time")) AS day, count(*) AS users
      FROM exposed WHERE variants = 1 GROUP BY variant, \(dialect.day("first_time"))
    )
    """
  }

  private var limited: String {
    if plan.cap == nil { return "SELECT * FROM running" }
    return """
      SELECT variant, running.name, unit, day, events, events_now,
          CASE WHEN total_now > cap THEN cap ELSE total_now END AS total_now
        FROM running LEFT JOIN caps ON caps.name = running.name
      """
  }

  /// The lines of all days of all variants.
  var dayLines: String {
    func both(_ name: String) -> String { "COALESCE(day_sizes.\(name), day_lists.\(name))" }
    let empty = dialect.emptyArray(like: conversion(ofNobody: true, ofDay: true))
    let line = dialect.object([
      ("schema", "1"), ("kind", "'day'"), ("flag", dialect.literal(flag)), ("variant", both("variant")),
      ("day", both("day")), ("users", "COALESCE(day_sizes.users, 0)"),
      ("conversions", "COALESCE(day_lists.conversions, \(empty))"),
    ])
    return """
      SELECT \(dialect.text(line)) AS line
      FROM day_sizes FULL OUTER JOIN day_lists
        ON day_lists.variant = day_sizes.variant AND day_lists.day = day_sizes.day
      """
  }
}
