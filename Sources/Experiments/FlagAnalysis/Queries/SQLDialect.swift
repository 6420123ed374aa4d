/// The SQL dialect of an engine.
package enum SQLDialect: String, Sendable, CaseIterable {
  case duckdb, postgres, spark

  /// Returns the name of a table or column in the quotation marks of the engine; dots separate its parts.
  func name(_ path: String) -> String {
    let mark = self == .spark ? "`" : "\""
    return path.split(separator: ".", omittingEmptySubsequences: false)
      .map { "\(mark)\($0.replacing(mark, with: mark + mark))\(mark)" }.joined(separator: ".")
  }

  func literal(_ text: String) -> String {
    // In literals, Spark treats a backslash as an escape, and the others do not.
    let marks = self == .spark ? text.replacing("\\", with: "\\\\") : text
    return "'\(marks.replacing("'", with: self == .spark ? "\\'" : "''"))'"
  }

  /// Returns a text that is ordered by its bytes, as the other engines do anyway.
  func bytes(_ text: String) -> String { self == .postgres ? "\(text) COLLATE \"C\"" : text }

  var string: String {
    switch self {
    case .duckdb: "VARCHAR"
    case .postgres: "text"
    case .spark: "string"
    }
  }

  /// The type of an absent column of ids by the names of their attributes; Spark correlates no columns of maps.
  var units: String { self == .spark ? "struct<none: string>" : string }

  /// Returns the member of an object by an expression for its name: of a struct or map, and except in Spark of JSON.
  func member(_ name: String, of object: String) -> String {
    switch self {
    case .duckdb:
      "json_extract_string(CAST(\(object) AS JSON), '/' || replace(replace(\(name), '~', '~0'), '/', '~1'))"
    case .postgres: "(CAST(\(object) AS jsonb) ->> \(name))"
    case .spark: "try_element_at(from_json(to_json(\(object)), 'map<string,string>'), \(name))"
    }
  }

  /// Returns the days from 1970 to a time, in UTC.
  func day(_ time: String) -> String {
    let seconds =
      switch self {
      case .duckdb: "epoch(\(time))"
      case .postgres: "extract(epoch FROM \(time))"
      case .spark: "unix_micros(\(time)) / 1000000"
      }
    return "CAST(floor(\(seconds) / 86400) AS bigint)"
  }

  var double: String { self == .postgres ? "double precision" : "double" }

  /// A member of an object: its name, and the expression of its value.
  typealias Member = (name: String, value: String)

  func object(_ members: [Member]) -> String {
    let list = members.map { "'\($0.name)', \($0.value)" }.joined(separator: ", ")
    return switch self {
    case .duckdb: "json_object(\(list))"
    case .postgres: "json_build_object(\(list))"
    case .spark: "named_struct(\(list))"
    }
  }

  /// Returns the JSON of an array with an object for each row of a group.
  func array(_ object: String) -> String {
    switch self {
    case .duckdb: "json_group_array(\(object))"
    case .postgres: "json_agg(\(object))"
    case .spark: "collect_list(\(object))"
    }
  }

  /// Returns the JSON of an empty array.
  func emptyArray(like object: String) -> String {
    switch self {
    case .duckdb: "'[]'::JSON"
    case .postgres: "'[]'::json"
    case .spark: "filter(array(\(object)), x -> false)"
    }
  }

  func text(_ object: String) -> String {
    switch self {
    case .duckdb: "CAST(\(object) AS VARCHAR)"
    case .postgres: "CAST(\(object) AS text)"
    case .spark: "to_json(\(object))"
    }
  }
}
