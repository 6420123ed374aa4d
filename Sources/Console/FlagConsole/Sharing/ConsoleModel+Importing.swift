public import FlagDomain
import FlagJSON

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

extension ConsoleModel {
  /// The maximum size of an import, in bytes.
  public static let maximumImport = 1 << 20

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
          doubt: doubt(about: value, of: key))
      }
  }

  /// Imports overrides in one change, except those that cannot be set.
  ///
  /// - Returns: The number of overrides that were set.
  /// - Throws: The errors of `differences`, or the store's error; nothing is changed then.
  @discardableResult
  public func importOverrides(_ text: String) throws(FlagError) -> Int {
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
    try checkWritable(.override)
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
      try check(value, for: try editable(key).flag)
      return nil
    } catch {
      return error.message
    }
  }
}
