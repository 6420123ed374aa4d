package import FlagDomain
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
  package func exportedJSON(_ query: FlagQuery = FlagQuery()) throws(FlagError) -> String {
    let rows = list(query).rows
    var overrides: [String: FlagValue] = [:]
    for (key, value) in ports.overriding?.overrides ?? [:] { overrides[key.name] = value }
    return try FlagValue.object([
      "version": 1, "flags": .array(rows.map(\.json)), "overrides": .object(overrides),
    ]).jsonString(.indented, depth: .max)
  }

  /// The maximum size of an import, in bytes.
  package static let maximumImport = 1 << 20

  /// Returns the effects of importing overrides, without importing them.
  ///
  /// - Parameter text: Exported JSON, or an object of values by keys.
  /// - Returns: The differences in the order of the keys; flags that would not change are left out.
  /// - Throws: A parse error with line and column, or an error if importing is not allowed.
  package func differences(importing text: String) throws(FlagError) -> [OverrideDifference] {
    try overrides(in: text).sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .compactMap { key, value in
        let row = row(key)
        if let row, row.isOverridden, row.value == value { return nil }
        return OverrideDifference(
          key: key, title: row?.title ?? key, current: row?.value, new: value, refusal: refusal(of: key, value),
          doubt: definitions?.doubt(about: value, of: key))
      }
  }

  /// Imports overrides in one change, except those that cannot be set.
  ///
  /// - Returns: The number of overrides that were set.
  /// - Throws: The errors of `differences`, or the store's error; nothing is changed then.
  @discardableResult
  package func importOverrides(_ text: String) throws(FlagError) -> Int {
    let known = try overriding.overrides
    var values: [FlagKey: FlagValue?] = [:]
    var old: [FlagKey: FlagValue?] = [:]
    for difference in try differences(importing: text) where difference.refusal == nil {
      guard let key = entry(difference.key)?.flag.key else { continue }
      values[key] = difference.new
      old[key] = .some(known[key])
    }
    guard !values.isEmpty else { return 0 }
    try setOverrides(values)
    noteUndo("importing \(values.count.counted("override"))", old)
    return values.count
  }

  private func overrides(in text: String) throws(FlagError) -> [String: FlagValue] {
    try access.check(.override)
    guard options.allowsImport else { throw FlagError(.general, "importing is turned off in this console") }
    guard text.utf8.count <= Self.maximumImport else {
      throw FlagError(.parseError, "expected at most \(Self.maximumImport) bytes, found \(text.utf8.count)")
    }
    let value = try FlagValue.reading(json: text)
    guard case .object(let fields) = value else {
      throw FlagError(.parseError, "expected an object of values by keys, found \(value.typeName)")
    }
    guard fields["version"] != nil, let overrides = fields["overrides"] else { return fields }
    guard case .object(let overrides) = overrides else {
      throw FlagError(.parseError, "overrides: expected an object of values by keys, found \(overrides.typeName)")
    }
    return overrides
  }

  private func refusal(of key: String, _ value: FlagValue) -> String? {
    do throws(FlagError) {
      try check(value, for: try overridable(key).flag)
      return nil
    } catch {
      return error.message
    }
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
  package var json: FlagValue {
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

/// The effect of importing one override.
package struct OverrideDifference: Hashable, Sendable {
  /// The flag's key, as it was imported.
  package let key: String
  /// The flag's display name, or the key if no flag has it.
  package let title: String
  /// The flag's current value; nil if no flag has the key.
  package let current: FlagValue?
  /// The value of the imported override.
  package let new: FlagValue
  /// The reason why this override is skipped; nil if it is imported.
  package let refusal: String?
  /// The reason why its value is probably a mistake, as a sentence; nil if the definition has such a variant.
  package let doubt: String?
}
