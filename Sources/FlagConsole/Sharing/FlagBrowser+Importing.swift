public import FlagDomain
import FlagJSON

/// What importing one override would do.
public struct OverrideDifference: Hashable, Sendable {
  /// The flag's key, as it was imported.
  public let key: String
  /// What people call the flag; the key where no flag has it.
  public let title: String
  /// The flag's value now; nil where no flag has the key.
  public let current: FlagValue?
  /// The value that it would be overridden with.
  public let new: FlagValue
  /// Why this one is left out; nil where it is not.
  public let refusal: String?
}

extension FlagBrowser {
  /// The most bytes of overrides that can be imported.
  public static let maximumImport = 1 << 20

  /// Returns what importing overrides would do, without doing it.
  ///
  /// - Parameter text: JSON that was exported, or an object of values by keys.
  /// - Returns: What would become of each flag, in the order of the keys; those that stay as they are are left out.
  /// - Throws: A parse error with line and column, and an error where importing is not allowed.
  public func differences(importing text: String) throws(FlagError) -> [OverrideDifference] {
    try overrides(in: text).sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .compactMap { key, value in
        let row = row(key)
        if let row, row.isOverridden, row.value == value { return nil }
        return OverrideDifference(
          key: key, title: row?.title ?? key, current: row?.value, new: value, refusal: refusal(of: key, value))
      }
  }

  /// Sets imported overrides, in one change, but those that ``differences(importing:)`` refuses.
  ///
  /// - Returns: How many it set.
  /// - Throws: As `differences`, and the store's error; then nothing is changed.
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
    noteUndo("importing \(values.count) overrides", old)
    return values.count
  }

  /// The overrides as compact JSON, to be put into a link.
  public var sharedOverrides: String {
    get throws(FlagError) {
      var values: [String: FlagValue] = [:]
      for (key, value) in try overriding.overrides { values[key.name] = value }
      return try FlagValue.object(values).jsonString(depth: .max)
    }
  }

  private func overrides(in text: String) throws(FlagError) -> [String: FlagValue] {
    try checkWritable()
    guard options.allowsImport else { throw FlagError(.general, "importing overrides is switched off here") }
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
