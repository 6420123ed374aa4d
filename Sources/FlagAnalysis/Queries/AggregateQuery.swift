/// A query that computes the aggregates of an experiment in another engine, equal to a join of its events here.
///
/// Each row of its result is one line of JSON, as `AggregateReader` reads it.
package struct AggregateQuery: Hashable, Sendable {
  package var dialect: SQLDialect
  package var flag: String
  /// The names of the conversions that count; empty for all.
  package var names: [String] = []
  /// The time after a user's first exposure in which conversions count; nil for no limit.
  package var window: ConversionWindow?
  /// Whether conversions before the first exposure are measured, as a covariate.
  package var measuresBefore = false
  package var exposures = "exposures"
  package var conversions = "conversions"
  private var columns = Dictionary(uniqueKeysWithValues: Column.allCases.map { ($0, $0.defaultName) })

  package enum Column: String, Sendable, CaseIterable {
    case exposureFlag = "exposure.flag"
    case exposureUnit = "exposure.unit"
    case exposureTime = "exposure.time"
    case exposureVariant = "exposure.variant"
    case conversionID = "conversion.id"
    case conversionName = "conversion.name"
    case conversionUnit = "conversion.unit"
    case conversionTime = "conversion.time"
    case conversionValue = "conversion.value"

    fileprivate var defaultName: String { String(rawValue.drop { $0 != "." }.dropFirst()) }
  }

  package init(_ dialect: SQLDialect, flag: String) { (self.dialect, self.flag) = (dialect, flag) }
}

extension AggregateQuery {
  /// Sets the name of a column from a text such as `exposure.unit=user_id`.
  package mutating func setColumn(_ text: String) throws(AnalysisError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[1].isEmpty, let column = Column(rawValue: parts[0]) else {
      let known = Column.allCases.map(\.rawValue).joined(separator: ", ")
      throw AnalysisError("expected a column as in exposure.unit=user_id, of \(known), found \(text.quoted)")
    }
    columns[column] = parts[1]
  }

  private func column(_ column: Column) -> String { dialect.name(columns[column] ?? column.defaultName) }

  /// The query, with a comment on how to run it.
  package var text: String {
    """
    \(usage)
    WITH seen AS (
      SELECT \(column(.exposureUnit)) AS unit, \(column(.exposureTime)) AS seen_at, \(column(.exposureVariant)) AS variant,
        row_number() OVER (PARTITION BY \(column(.exposureUnit))
          ORDER BY \(column(.exposureTime)), \(dialect.bytes(column(.exposureVariant)))) AS place
      FROM \(dialect.name(exposures))
      WHERE \(column(.exposureFlag)) = \(dialect.literal(flag)) AND \(column(.exposureVariant)) IS NOT NULL
    ), exposed AS (
      SELECT unit, min(seen_at) AS first_time, min(CASE WHEN place = 1 THEN variant END) AS variant,
        count(DISTINCT variant) AS variants
      FROM seen GROUP BY unit
    ), received AS (
      SELECT \(column(.conversionID)) AS id, \(column(.conversionUnit)) AS unit, \(column(.conversionName)) AS name,
        \(column(.conversionTime)) AS converted_at, COALESCE(\(column(.conversionValue)), 0) AS amount
      FROM \(dialect.name(conversions))\(restriction)
    ), numbered AS (
      SELECT id, unit, name, converted_at, amount,
        row_number() OVER (PARTITION BY id, unit ORDER BY converted_at, \(dialect.bytes("name")), amount) AS place
      FROM received
    ), converted AS (
      SELECT id, unit, name, converted_at, amount FROM numbered WHERE place = 1 OR id IS NULL
    ), joined AS (
      SELECT converted.unit, name, amount, variant, variants,
        variants = 1 AND converted_at < first_time AS is_before\(lateness)
      FROM converted LEFT JOIN exposed ON exposed.unit = converted.unit
    ), per_user AS (
      SELECT variant, name, unit, \(activity)
      FROM joined WHERE \(counted)
      GROUP BY variant, name, unit
    ), sums AS (
      SELECT variant, name, \(users) AS users, sum(events) AS events, sum(events * events) AS events_squares,
        sum(total) AS total, sum(total * total) AS total_squares\(before)
      FROM per_user GROUP BY variant, name
    ), lists AS (
      SELECT variant, \(dialect.array(conversion())) AS conversions
      FROM sums GROUP BY variant
    ), early AS (
      SELECT variant, count(DISTINCT unit) AS users FROM joined WHERE is_before GROUP BY variant
    ), sizes AS (
      SELECT variant, count(CASE WHEN variants = 1 THEN 1 END) AS users,
        count(CASE WHEN variants > 1 THEN 1 END) AS users_of_several
      FROM exposed GROUP BY variant
    )
    SELECT \(dialect.text(variant)) AS line
    FROM sizes LEFT JOIN lists ON lists.variant = sizes.variant LEFT JOIN early ON early.variant = sizes.variant
    WHERE sizes.users > 0
    UNION ALL
    SELECT \(dialect.text(excluded)) AS line;

    """
  }

  private var double: String { dialect.double }

  private var usage: String {
    switch dialect {
    case .duckdb: "-- duckdb FILE -noheader -list < query.sql > aggregates.jsonl"
    case .postgres: "-- psql -At -f query.sql > aggregates.jsonl"
    case .spark: "-- spark-sql -S -f query.sql > aggregates.jsonl"
    }
  }

  private var restriction: String {
    if names.isEmpty { return "" }
    return "\n  WHERE \(column(.conversionName)) IN (\(names.map(dialect.literal).joined(separator: ", ")))"
  }
}

extension AggregateQuery {
  /// The column that marks conversions after the end of the window.
  private var lateness: String {
    guard let window else { return "" }
    return ",\n    variants = 1 AND converted_at > first_time + INTERVAL '\(window.seconds)' SECOND AS is_after"
  }

  private var counted: String {
    "variants = 1\(measuresBefore ? "" : " AND NOT is_before")\(window == nil ? "" : " AND NOT is_after")"
  }

  private var users: String { measuresBefore ? "count(CASE WHEN events > 0 THEN 1 END)" : "count(*)" }

  private var activity: String {
    func sum(_ value: String) -> String { "CAST(sum(\(value)) AS \(double))" }
    guard measuresBefore else { return "CAST(count(*) AS \(double)) AS events, \(sum("amount")) AS total" }
    return """
      \(sum("CASE WHEN is_before THEN 0 ELSE 1 END")) AS events,
          \(sum("CASE WHEN is_before THEN 0 ELSE amount END")) AS total,
          \(sum("CASE WHEN is_before THEN 1 ELSE 0 END")) AS events_before,
          \(sum("CASE WHEN is_before THEN amount ELSE 0 END")) AS total_before
      """
  }

  /// The sums of conversions before the first exposure, and of their products with later ones.
  private var before: String {
    guard measuresBefore else { return "" }
    return """
      ,
          count(CASE WHEN events_before > 0 THEN 1 END) AS users_before,
          count(CASE WHEN events > 0 AND events_before > 0 THEN 1 END) AS users_of_both,
          sum(events_before) AS events_before, sum(events_before * events_before) AS events_before_squares,
          sum(events * events_before) AS events_products, sum(total_before) AS total_before,
          sum(total_before * total_before) AS total_before_squares, sum(total * total_before) AS total_products
      """
  }

  /// Returns the object of the conversions with one name; of zeros for no users, to give an empty array its type.
  private func conversion(ofNobody: Bool = false) -> String {
    let none = ["name": "''", "users": "CAST(0 AS bigint)", "usersOfBoth": "CAST(0 AS bigint)"]
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
      ] + (measuresBefore ? [("before", before)] : []))
  }

  private var variant: String {
    dialect.object([
      ("schema", "1"), ("kind", "'variant'"), ("flag", dialect.literal(flag)), ("variant", "sizes.variant"),
      ("users", "sizes.users"), ("usersOfSeveralVariants", "sizes.users_of_several"),
      ("usersBefore", "COALESCE(early.users, 0)"),
      ("conversions", "COALESCE(lists.conversions, \(dialect.emptyArray(like: conversion(ofNobody: true))))"),
    ])
  }

  private var excluded: String {
    var members: [SQLDialect.Member] = [
      ("schema", "1"), ("kind", "'excluded'"),
      ("usersOfSeveralVariants", "(SELECT count(*) FROM exposed WHERE variants > 1)"),
      ("conversionsBefore", "(SELECT count(*) FROM joined WHERE is_before)"),
      ("conversionsOfOthers", "(SELECT count(*) FROM joined WHERE variants IS NULL)"),
      ("duplicates", "(SELECT count(*) FROM received) - (SELECT count(*) FROM converted)"),
    ]
    if let window {
      members.append(("conversionsAfter", "(SELECT count(*) FROM joined WHERE is_after)"))
      members.append(("windowSeconds", "\(window.seconds)"))
    }
    return dialect.object(members)
  }
}
