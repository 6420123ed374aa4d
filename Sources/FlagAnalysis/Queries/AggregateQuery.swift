/// A query that makes the aggregates of an experiment inside of another engine, as a join of events here would.
///
/// Each row of its result is one line of JSON, as `AggregateReader` reads it.
package struct AggregateQuery: Hashable, Sendable {
  package var dialect: SQLDialect
  package var flag: String
  /// The names of the conversions that count; none for all.
  package var names: [String] = []
  package var exposures = "exposures"
  package var conversions = "conversions"
  private var columns = Dictionary(uniqueKeysWithValues: Column.allCases.map { ($0, $0.defaultName) })

  /// What a query reads of a table.
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
  /// Sets the name of a column, by `exposure.unit=user_id`.
  ///
  /// - Throws: An error that says which columns there are.
  package mutating func setColumn(_ text: String) throws(AnalysisError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[1].isEmpty, let column = Column(rawValue: parts[0]) else {
      let known = Column.allCases.map(\.rawValue).joined(separator: ", ")
      throw AnalysisError("expected a column as in exposure.unit=user_id, of \(known), found \(text.quoted)")
    }
    columns[column] = parts[1]
  }

  private func column(_ column: Column) -> String { dialect.name(columns[column] ?? column.defaultName) }

  /// The query, with a line that says how to run it.
  package var text: String {
    """
    \(usage)
    WITH exposed AS (
      SELECT \(column(.exposureUnit)) AS unit, min(\(column(.exposureTime))) AS first_time,
        min(\(column(.exposureVariant))) AS variant, count(DISTINCT \(column(.exposureVariant))) AS variants
      FROM \(dialect.name(exposures))
      WHERE \(column(.exposureFlag)) = \(dialect.literal(flag)) AND \(column(.exposureVariant)) IS NOT NULL
      GROUP BY \(column(.exposureUnit))
    ), received AS (
      SELECT \(column(.conversionID)) AS id, \(column(.conversionUnit)) AS unit, \(column(.conversionName)) AS name,
        \(column(.conversionTime)) AS converted_at, COALESCE(\(column(.conversionValue)), 0) AS amount
      FROM \(dialect.name(conversions))\(restriction)
    ), converted AS (
      SELECT DISTINCT id, unit, name, converted_at, amount FROM received
    ), joined AS (
      SELECT converted.unit, name, amount, variant, variants, variants = 1 AND converted_at < first_time AS is_before
      FROM converted LEFT JOIN exposed ON exposed.unit = converted.unit
    ), per_user AS (
      SELECT variant, name, unit, CAST(count(*) AS \(double)) AS events, CAST(sum(amount) AS \(double)) AS total
      FROM joined WHERE variants = 1 AND NOT is_before
      GROUP BY variant, name, unit
    ), sums AS (
      SELECT variant, name, count(*) AS users, sum(events) AS events, sum(events * events) AS events_squares,
        sum(total) AS total, sum(total * total) AS total_squares
      FROM per_user GROUP BY variant, name
    ), lists AS (
      SELECT variant, \(dialect.array(conversion)) AS conversions
      FROM sums GROUP BY variant
    ), sizes AS (
      SELECT variant, count(*) AS users FROM exposed WHERE variants = 1 GROUP BY variant
    )
    SELECT \(dialect.text(variant)) AS line
    FROM sizes LEFT JOIN lists ON lists.variant = sizes.variant
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
  private var conversion: String {
    dialect.object([
      ("name", "name"), ("users", "users"), ("count", "events"), ("countSquares", "events_squares"), ("sum", "total"),
      ("sumSquares", "total_squares"),
    ])
  }

  private var noConversion: String {
    let zero = "CAST(0 AS double)"
    return dialect.object([
      ("name", "''"), ("users", "CAST(0 AS bigint)"), ("count", zero), ("countSquares", zero), ("sum", zero),
      ("sumSquares", zero),
    ])
  }

  private var variant: String {
    dialect.object([
      ("schema", "1"), ("kind", "'variant'"), ("flag", dialect.literal(flag)), ("variant", "sizes.variant"),
      ("users", "sizes.users"),
      ("conversions", "COALESCE(lists.conversions, \(dialect.emptyArray(like: noConversion)))"),
    ])
  }

  private var excluded: String {
    dialect.object([
      ("schema", "1"), ("kind", "'excluded'"),
      ("usersOfSeveralVariants", "(SELECT count(*) FROM exposed WHERE variants > 1)"),
      ("conversionsBefore", "(SELECT count(*) FROM joined WHERE is_before)"),
      ("conversionsOfOthers", "(SELECT count(*) FROM joined WHERE variants IS NULL)"),
      ("duplicates", "(SELECT count(*) FROM received) - (SELECT count(*) FROM converted)"),
    ])
  }
}
