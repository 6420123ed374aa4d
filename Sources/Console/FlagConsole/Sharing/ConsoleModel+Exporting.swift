public import FlagDomain
import FlagJSON

extension ConsoleModel {
  /// Returns the matching flags as text for a bug report, one line per flag, with overrides marked.
  ///
  /// ```
  /// Feed → Video posts → Autoplay [ON by override]
  /// Feed → Page size [20 by default]
  /// ```
  public func exportedText(_ query: FlagQuery = FlagQuery()) -> String {
    list(query).rows.map(\.line).joined()
  }

  /// Returns the matching flags as JSON, schema version 1: every flag with its value and source, and the overrides.
  ///
  /// - Throws: A type mismatch if a value is a number that JSON cannot represent.
  public func exportedJSON(_ query: FlagQuery = FlagQuery()) throws(FlagError) -> String {
    let rows = list(query).rows
    var overrides: [String: FlagValue] = [:]
    for (key, value) in ports.overriding?.overrides ?? [:] { overrides[key.name] = value }
    return try FlagValue.object([
      "version": 1, "flags": .array(rows.map(\.json)), "overrides": .object(overrides),
    ]).jsonString(.indented, depth: .max)
  }
}

extension FlagRow {
  /// The row as a line of readable text.
  fileprivate var line: String {
    let value =
      switch isOn {
      case true?: "ON"
      case false?: "OFF"
      case nil: valueText
      }
    return "\(path) [\(value) by \(source.lowercased())]\n"
  }

  /// The row as JSON, in version 1 of the schema.
  public var json: FlagValue {
    [
      "key": .string(key.name), "title": .string(title), "groups": .array(groups.map(FlagValue.string)),
      "value": isValueUnknown ? .null : value, "default": isDefaultKnown ? defaultValue : .null,
      "variant": resolution.variant.map(FlagValue.string) ?? .null,
      "reason": .string(resolution.reason.rawValue),
      "provider": resolution.provider.map(FlagValue.string) ?? .null, "isOverridden": .bool(isOverridden),
      "isWaitingForRestart": .bool(isWaitingForRestart),
      "errors": .array(resolution.errors.map { .string("\($0)") }),
    ]
  }
}
