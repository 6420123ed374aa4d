/// A query that computes the aggregates of an experiment in another engine, equal to a join of its events here.
///
/// Each row of its result is one line of JSON, as `AggregateReader` reads it.
package struct AggregateQuery: Hashable, Sendable {
  package var dialect: SQLDialect
  package var flag: String
  package var plan: JoinPlan
  package var exposures = "exposures"
  package var conversions = "conversions"
  private var columns = Dictionary(uniqueKeysWithValues: Column.allCases.map { ($0, $0.defaultName) })

  package enum Column: String, Sendable, CaseIterable {
    case exposureFlag = "exposure.flag"
    case exposureUnit = "exposure.unit"
    case exposureTime = "exposure.time"
    case exposureVariant = "exposure.variant"
    case exposureAttribute = "exposure.attribute"
    case exposureUnitAttribute = "exposure.unitAttribute"
    case exposureUnits = "exposure.units"
    case conversionID = "conversion.id"
    case conversionName = "conversion.name"
    case conversionUnit = "conversion.unit"
    case conversionUnits = "conversion.units"
    case conversionTime = "conversion.time"
    case conversionValue = "conversion.value"

    fileprivate var defaultName: String { String(rawValue.drop { $0 != "." }.dropFirst()) }
  }

  /// Creates a query of a flag's experiment, which the plan need not name.
  package init(_ dialect: SQLDialect, flag: String, _ plan: JoinPlan = JoinPlan()) {
    (self.dialect, self.flag, self.plan) = (dialect, flag, plan)
    if let attribute = plan.attribute { columns[.exposureAttribute] = attribute }
  }

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
    let levels =
      [AggregateLevel(self, isBySegment: false)]
      + (plan.attribute == nil ? [] : [AggregateLevel(self, isBySegment: true)])
    let parts = [events, visitors, perUser] + levels.map(\.parts) + (plan.measuresDays ? [days] : [])
    let lines =
      levels.map(\.lines) + (plan.measuresDays ? [dayLines] : []) + ["SELECT \(dialect.text(excluded)) AS line"]
    return "\(usage)\nWITH \(parts.joined(separator: ", "))\n\(lines.joined(separator: "\nUNION ALL\n"));\n"
  }

  private var usage: String {
    switch dialect {
    case .duckdb: "-- duckdb FILE -noheader -list < query.sql > aggregates.jsonl"
    case .postgres: "-- psql -At -f query.sql > aggregates.jsonl"
    case .spark: "-- spark-sql -S -f query.sql > aggregates.jsonl"
    }
  }

  /// The tables of users with their variants, and of conversions with their users.
  ///
  /// A unit is the value of the attribute that its exposures name, after the attribute's name unless that is the
  /// targeting key. A conversion is of the unit that it has of this attribute.
  private var events: String {
    """
    exposures_given AS (
      SELECT given.* FROM \(absent([.exposureUnitAttribute, .exposureUnits])), LATERAL (
        SELECT \(column(.exposureUnit)) AS unit_given, \(column(.exposureTime)) AS seen_at,
          \(column(.exposureVariant)) AS variant,
          COALESCE(\(column(.exposureUnitAttribute)), \(userName)) AS unit_attribute,
          \(dialect.member(visitorName, of: column(.exposureUnits))) AS visitor\(segment)
        FROM \(dialect.name(exposures))
        WHERE \(column(.exposureFlag)) = \(dialect.literal(flag)) AND \(column(.exposureVariant)) IS NOT NULL
      ) AS given
    ), seen AS (
      SELECT *, \(text("unit_given")) AS unit_id, \(unit(text("unit_given"), of: "unit_attribute")) AS unit
      FROM exposures_given\(unitRestriction)
    ), unit_attributes AS (
      SELECT DISTINCT unit_attribute FROM seen
    ), placed AS (
      SELECT *, row_number()
        OVER (PARTITION BY unit ORDER BY seen_at, \(dialect.bytes("variant"))\(segmentOrder)) AS place
      FROM seen
    ), exposed AS (
      SELECT unit, min(seen_at) AS first_time, min(CASE WHEN place = 1 THEN variant END) AS variant,
        count(DISTINCT variant) AS variants\(firstSegment)
      FROM placed GROUP BY unit
    ), conversions_given AS (
      SELECT given.* FROM \(absent([.conversionUnits])), LATERAL (
        SELECT \(column(.conversionID)) AS id, \(text(column(.conversionUnit))) AS user_id,
          \(column(.conversionUnits)) AS unit_ids, \(column(.conversionName)) AS name,
          \(column(.conversionTime)) AS converted_at, COALESCE(\(column(.conversionValue)), 0) AS amount
        FROM \(dialect.name(conversions))\(restriction)
      ) AS given
    ), named AS (
      SELECT *, CASE WHEN unit_attribute = \(userName) THEN user_id
          ELSE \(dialect.member("unit_attribute", of: "unit_ids")) END AS unit_id,
        \(dialect.member(visitorName, of: "unit_ids")) AS visitor
      FROM conversions_given CROSS JOIN unit_attributes
    ), received AS (
      SELECT *, \(unit("unit_id", of: "unit_attribute")) AS unit FROM named
    ), numbered AS (
      SELECT *, row_number()
        OVER (PARTITION BY id, unit ORDER BY converted_at, \(dialect.bytes("name")), amount) AS place
      FROM received
    ), converted AS (
      SELECT id, unit, name, converted_at, amount FROM numbered WHERE place = 1 OR id IS NULL
    ), joined AS (
      SELECT converted.unit, name, amount, converted_at, variant, variants\(plan.attribute == nil ? "" : ", segment"),
        variants = 1 AND converted_at < first_time AS is_before\(lateness)
      FROM converted LEFT JOIN exposed ON exposed.unit = converted.unit
    ), early AS (
      SELECT variant, count(DISTINCT unit) AS users FROM joined WHERE is_before GROUP BY variant
    )
    """
  }

  private var segment: String {
    if plan.attribute == nil { return "" }
    let none = dialect.literal(ExperimentData.nameWithoutValue)
    return ",\n      COALESCE(\(text(column(.exposureAttribute))), \(none)) AS segment"
  }

  private var userName: String { dialect.literal("targetingKey") }
  private var visitorName: String { dialect.literal("visitorID") }

  private func text(_ column: String) -> String { "CAST(\(column) AS \(dialect.string))" }

  private func unit(_ id: String, of attribute: String) -> String {
    "CASE WHEN \(attribute) = \(userName) THEN \(id) ELSE \(attribute) || chr(10) || \(id) END"
  }

  /// A row with nothing in columns that tables of other writers lack, for the names that a lateral query finds nowhere
  /// else; a column that was named must be there.
  private func absent(_ columns: [Column]) -> String {
    let missing = columns.filter { self.columns[$0] == $0.defaultName }.map { column in
      let type = column == .exposureUnitAttribute ? dialect.string : dialect.units
      return "CAST(NULL AS \(type)) AS \(self.column(column))"
    }
    return "(SELECT \((["1 AS present"] + missing).joined(separator: ", "))) AS absent"
  }

  private var unitRestriction: String {
    plan.unit.map { "\n  WHERE unit_attribute = \(dialect.literal($0))" } ?? ""
  }

  /// The tables of visitors and of the units that they were, if something else is counted.
  private var visitors: String {
    """
    visits AS (
      SELECT visitor, unit, seen_at, variant, row_number() OVER (PARTITION BY visitor
        ORDER BY seen_at, CASE WHEN unit = visitor THEN 0 ELSE 1 END, \(dialect.bytes("variant"))) AS place
      FROM seen WHERE visitor IS NOT NULL AND unit_attribute <> \(visitorName)
    ), visitors AS (
      SELECT visitor, min(seen_at) AS first_time, min(CASE WHEN place = 1 THEN variant END) AS variant,
        count(DISTINCT variant) AS variants
      FROM visits GROUP BY visitor
    ), visitor_units AS (
      SELECT visitor, unit FROM visits
      UNION
      SELECT received.visitor, received.unit
      FROM received JOIN visitors ON visitors.visitor = received.visitor
      WHERE received.unit IS NOT NULL AND converted_at >= first_time
    ), visitor_counts AS (
      SELECT visitor, count(*) AS units FROM visitor_units GROUP BY visitor
    ), visitor_sizes AS (
      SELECT variant, count(*) AS visitors, count(CASE WHEN units > 1 THEN 1 END) AS of_several,
        count(CASE WHEN units > 1 AND variants > 1 THEN 1 END) AS changed
      FROM visitors JOIN visitor_counts ON visitor_counts.visitor = visitors.visitor GROUP BY variant
    )
    """
  }

  /// Returns the array of the first three ids of a table.
  private func examples(_ id: String, of table: String) -> String {
    "(SELECT \(dialect.array("example")) FROM (SELECT \(id) AS example FROM \(table) WHERE \(id) IS NOT NULL "
      + "GROUP BY \(id) ORDER BY \(dialect.bytes(id)) LIMIT 3) AS examples)"
  }

  private var segmentOrder: String { plan.attribute == nil ? "" : ", \(dialect.bytes("segment"))" }

  private var firstSegment: String {
    plan.attribute == nil ? "" : ", min(CASE WHEN place = 1 THEN segment END) AS segment"
  }

  private var restriction: String {
    guard let names = plan.names else { return "" }
    return "\n  WHERE \(column(.conversionName)) IN (\(names.sorted().map(dialect.literal).joined(separator: ", ")))"
  }

  /// The column that marks conversions after the end of the window.
  private var lateness: String {
    guard let window = plan.window else { return "" }
    return ",\n    variants = 1 AND converted_at > first_time + INTERVAL '\(window.seconds)' SECOND AS is_after"
  }

  private var excluded: String {
    var members: [SQLDialect.Member] = [
      ("schema", "1"), ("kind", "'excluded'"),
      ("usersOfSeveralVariants", "(SELECT count(*) FROM exposed WHERE variants > 1)"),
      ("conversionsBefore", "(SELECT count(*) FROM joined WHERE is_before)"),
      ("conversionsOfOthers", "(SELECT count(*) FROM joined WHERE variants IS NULL)"),
      ("duplicates", "(SELECT count(*) FROM received) - (SELECT count(*) FROM converted)"),
      ("visitorsOfSeveralVariants", "(SELECT COALESCE(sum(changed), 0) FROM visitor_sizes)"),
      ("unitAttributes", "(SELECT \(dialect.array("unit_attribute")) FROM unit_attributes)"),
      ("exposed", examples("unit_id", of: "seen")),
      ("converted", examples("COALESCE(unit_id, user_id)", of: "received")),
    ]
    if let window = plan.window {
      members.append(("conversionsAfter", "(SELECT count(*) FROM joined WHERE is_after)"))
      members.append(("windowSeconds", "\(window.seconds)"))
    }
    if let cap = plan.cap {
      members.append(("capMillionths", "\(cap.millionths)"))
      let list = dialect.array(dialect.object([("name", "name"), ("value", "cap")]))
      members.append(("caps", "(SELECT \(list) FROM caps)"))
    }
    return dialect.object(members)
  }
}
