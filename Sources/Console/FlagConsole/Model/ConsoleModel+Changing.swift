public import FlagDomain
import FlagJSON

/// Changes by a person, which are refused in a read-only console and for locked flags.
extension ConsoleModel {
  /// Overrides a flag.
  ///
  /// - Throws: An error if the flag cannot have the value, or if the value cannot be stored; nothing is changed then.
  public func override(_ key: String, with value: FlagValue) throws(FlagError) {
    try override(overridable(key), with: value)
  }

  private func override(_ entry: CatalogEntries.Entry, with value: FlagValue) throws(FlagError) {
    let old = try overriding.overrides[entry.flag.key]
    try overriding.setOverride(value, of: entry.flag)
    noteUndo("the override of \(entry.title)", [entry.flag.key: old])
  }

  /// Parses the attributes of a user that a person entered as JSON.
  ///
  /// - Throws: A parse error, with line and column, or with the type that was found in place of an object.
  package static func attributes(_ text: String) throws(FlagError) -> [String: FlagValue] {
    let value = try FlagValue.reading(json: text)
    guard case .object(let attributes) = value else {
      throw FlagError(.parseError, "expected an object of attributes by their names, found \(value.typeName)")
    }
    return attributes
  }

  /// Overrides a flag with the text that a person entered in its editor, or with none.
  public func override(_ key: String, entering text: String?) throws(FlagError) {
    let entry = try overridable(key)
    try override(entry, with: entry.value(entering: text))
  }

  /// Clears the override of a flag and deletes its stored value.
  public func clearOverride(of key: String) throws(FlagError) {
    let entry = try editable(key)
    let old = try overriding.overrides[entry.flag.key]
    try overriding.clearOverride(of: entry.flag)
    if old != nil { noteUndo("clearing the override of \(entry.title)", [entry.flag.key: old]) }
  }

  /// Clears every override except those of locked flags, in one change, and returns the keys of their flags.
  @discardableResult
  public func clearOverrides() throws(FlagError) -> Set<FlagKey> {
    try access.check(.override)
    let old = Self.clearable(try overriding.overrides, entries)
    try overriding.setOverrides(old.mapValues { _ in nil })
    if !old.isEmpty { noteUndo("clearing all overrides", old.mapValues { $0 }) }
    return Set(old.keys)
  }

  /// Writes a value to providers, or removes it there, in all of them or in none.
  ///
  /// - Parameters:
  ///   - edit: The change.
  ///   - key: The flag's key.
  ///   - providers: The names of the providers; empty for every writable provider.
  /// - Returns: The names of the providers that were written to.
  /// - Throws: An error if the flag cannot have the value, or the error of a provider; nothing is changed then.
  @discardableResult
  package func write(_ edit: FlagEdit, to key: String, in providers: [String] = []) throws(FlagError) -> [String] {
    try write(edit, to: editable(key, by: .edit), in: providers)
  }

  @discardableResult
  private func write(
    _ edit: FlagEdit, to entry: CatalogEntries.Entry, in providers: [String]
  ) throws(FlagError) -> [String] {
    guard let writing = ports.writing else { throw FlagError(.general, "no provider is writable") }
    if case .set(let value) = edit { try check(value, for: entry.flag) }
    let names = try writing.apply(edit, to: entry.flag, in: providers)
    noteOwnChange()
    return names
  }

  /// Removes the variant that the user whom the console asks as keeps in a flag's experiment.
  ///
  /// A value that the client has read already stays until the next change or start.
  package func assignAnew(_ key: String) throws(FlagError) {
    let flag = try editable(key).flag.key
    guard let row = row(key), let (unit, variants) = keptVariants(of: row) else {
      throw FlagError(.general, "the user keeps no variant of this flag", key: flag)
    }
    ports.stickyBuckets?.remove(Set(variants.keys), of: unit)
    noteOwnChange()
  }

  /// Sets overrides of flags that are shown, and clears those that are nil.
  ///
  /// A single override is set through its flag, which may be unknown to the composition.
  func setOverrides(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
    if values.count == 1, let (key, value) = values.first, let entry = entry(key.name), let value {
      try overriding.setOverride(value, of: entry.flag)
    } else {
      try overriding.setOverrides(values)
    }
  }

  var overriding: any FlagOverriding {
    get throws(FlagError) {
      guard let overriding = ports.overriding else {
        throw FlagError(.general, "overrides are turned off in this console")
      }
      return overriding
    }
  }

  /// The sentence that overrides end with the console; nil if they are stored, or if there are none.
  package var storageNotice: String? {
    options.storesOverrides || access.isReadOnly || ports.overriding == nil
      ? nil : "Overrides end with this console: they are stored nowhere."
  }

  func overridable(_ key: String) throws(FlagError) -> CatalogEntries.Entry {
    let entry = try editable(key)
    guard !entry.flag.metadata.isOverridable else { return entry }
    throw FlagError(.general, "the flag cannot be overridden", key: entry.flag.key)
  }

  func editable(
    _ key: String, by needed: FlagConsolePermission = .override
  ) throws(FlagError) -> CatalogEntries.Entry {
    try access.check(needed)
    guard let entry = entry(key) else { throw FlagError(.flagNotFound, "no flag has the key “\(key.prefix(100))”") }
    guard !entry.isLocked else {
      throw FlagError(.general, "the flag is locked: it can be changed only in code", key: entry.flag.key)
    }
    return entry
  }

  /// Checks that a value has the flag's type.
  func check(_ value: FlagValue, for flag: any FeatureFlag) throws(FlagError) {
    func decode<F: FeatureFlag>(_ flag: F) throws(FlagError) { _ = try value.decode(as: F.Value.self) }
    try decode(flag)
  }
}

/// Changes from user interfaces, which share the same confirmations.
extension ConsoleModel {
  /// Applies a change, or returns the confirmation that it needs; ``apply(_:)`` applies it once confirmed.
  ///
  /// - Returns: The pending change, or nil if the change was applied.
  /// - Throws: The errors of the change; nothing is changed then.
  public func submit(_ change: ConsoleChange) throws(FlagError) -> PendingConsoleChange? {
    if let question = question(before: change) { return PendingConsoleChange(change: change, question: question) }
    try apply(change)
    return nil
  }

  /// Returns the confirmation that a change needs; nil if it needs none, or if the change would be refused.
  public func question(before change: ConsoleChange) -> FlagQuestion? {
    switch change {
    case .override(let key, let text), .write(let key, let text, _):
      guard let entry = entry(change), let value = entry.taken(text) else { return nil }
      let restart = entry.flag.metadata.changingQuestion
      guard case .override = change, let doubt = definitions?.doubt(about: value, of: key) else { return restart }
      return FlagQuestion(
        title: "Unknown value", message: [doubt, restart?.message].compactMap { $0 }.joined(separator: " "),
        confirmation: "Override anyway")
    case .remove: return entry(change)?.flag.metadata.changingQuestion
    case .clear:
      // Only a flag that requires a restart is resolved, to find out whether its override is in effect.
      guard let entry = entry(change), let question = entry.flag.metadata.changingQuestion else { return nil }
      let isOverridden = snapshot().resolution(of: entry.flag).reason == .override
      return isOverridden ? question : nil
    case .assignAnew: return nil
    case .clearAll: return list(FlagQuery(limit: 0)).clearingQuestion
    }
  }

  /// Applies a change without confirmation.
  ///
  /// - Throws: The errors of the change; nothing is changed then.
  public func apply(_ change: ConsoleChange) throws(FlagError) {
    switch change {
    case .override(let key, let text): try override(key, entering: text)
    case .clear(let key): try clearOverride(of: key)
    case .write(let key, let text, let provider):
      let entry = try editable(key, by: .edit)
      try write(.set(entry.value(entering: text)), to: entry, in: [provider].compactMap { $0 })
    case .remove(let key, let provider): try write(.remove, to: key, in: [provider])
    case .assignAnew(let key): try assignAnew(key)
    case .clearAll: try clearOverrides()
    }
  }

  /// Returns the flag of a change; nil if the change would be refused.
  private func entry(_ change: ConsoleChange) -> CatalogEntries.Entry? {
    switch change {
    case .override(let key, _): entry(key).flatMap { lockReason(of: $0) == nil ? $0 : nil }
    case .clear(let key), .write(let key, _, _), .remove(let key, _): entry(key).flatMap { $0.isLocked ? nil : $0 }
    case .assignAnew, .clearAll: nil
    }
  }
}

extension CatalogEntries.Entry {
  fileprivate func value(entering text: String?) throws(FlagError) -> FlagValue {
    try text.map { text throws(FlagError) in try control.value(of: text) } ?? .null
  }

  /// Returns the value that a text is; nil if it is malformed, which is reported at once, not after a confirmation.
  fileprivate func taken(_ text: String?) -> FlagValue? {
    guard let text else { return dataType.isOptional ? .null : nil }
    do throws(FlagError) {
      return try control.value(of: text)
    } catch {
      return nil
    }
  }
}
