public import FlagDomain
import FlagJSON

/// Changes by a person, which are refused in a read-only console and for locked flags.
extension ConsoleModel {
  /// Overrides a flag.
  ///
  /// - Throws: An error if the flag cannot have the value, or if the value cannot be stored; nothing is changed then.
  public func override(_ key: String, with value: FlagValue) throws(FlagError) {
    try override(editable(key), with: value)
  }

  func override(_ entry: CatalogEntries.Entry, with value: FlagValue) throws(FlagError) {
    let old = try overriding.overrides[entry.flag.key]
    try overriding.setOverride(value, of: entry.flag)
    noteUndo("the override of \(entry.title)", [entry.flag.key: old])
  }

  /// Parses the text that a person entered in a flag's editor.
  ///
  /// - Throws: A type mismatch with the expected and the actual value.
  public func value(of key: String, entering text: String) throws(FlagError) -> FlagValue {
    try editable(key).editor.value(of: text)
  }

  /// Parses the attributes of a user that a person entered as JSON.
  ///
  /// - Throws: A parse error, with line and column, or with the type that was found in place of an object.
  public static func attributes(_ text: String) throws(FlagError) -> [String: FlagValue] {
    let value = try FlagValue.reading(json: text)
    guard case .object(let attributes) = value else {
      throw FlagError(.parseError, "expected an object of attributes by their names, found \(value.typeName)")
    }
    return attributes
  }

  /// Overrides a flag with the text that a person entered in its editor.
  public func override(_ key: String, entering text: String) throws(FlagError) {
    let entry = try editable(key)
    try override(entry, with: entry.editor.value(of: text))
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
    try checkWritable(.override)
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
  public func write(_ edit: FlagEdit, to key: String, in providers: [String] = []) throws(FlagError) -> [String] {
    try write(edit, to: editable(key, by: .edit), in: providers)
  }

  @discardableResult
  func write(
    _ edit: FlagEdit, to entry: CatalogEntries.Entry, in providers: [String]
  ) throws(FlagError) -> [String] {
    guard let writing = ports.writing else { throw FlagError(.general, "no provider is writable") }
    if case .set(let value) = edit { try check(value, for: entry.flag) }
    let names = try writing.apply(edit, to: entry.flag, in: providers)
    noteOwnChange()
    return names
  }

  /// Removes the values of every flag from a provider.
  public func resetAll(in provider: String) throws(FlagError) {
    try checkWritable()
    guard let writing = ports.writing else { throw FlagError(.general, "no provider is writable") }
    try writing.resetAll(in: provider)
    noteOwnChange()
  }

  /// Whether a test user can be signed in.
  package var allowsSignIn: Bool { asksAsUser || ports.authenticator != nil }

  /// Whether signing in only shows a user's flags here: in a session, and in a console that may change nothing.
  private var asksAsUser: Bool { origin != nil || options.isReadOnly }

  /// Signs a test user in, or signs out if the user is nil.
  ///
  /// In a session and in a read-only console, the user of the program stays; only this console shows the user's flags.
  public func signIn(_ user: FlagUser?) throws(FlagError) {
    if !asksAsUser {
      guard let authenticator = ports.authenticator else {
        throw FlagError(.general, "signing in is turned off in this console")
      }
      authenticator.setUser(user)
    }
    state.withLock { state in
      state.user = user
      state.asksAsUser = asksAsUser
      guard let user, !state.tried.contains(user) else { return }
      state.tried = state.tried.suffix(Self.maximumTriedUsers - 1) + [user]
    }
    if asksAsUser { noteChange() } else { noteOwnChange() }
  }

  private static let maximumTriedUsers = 20

  /// The user who is signed in here; nil for nobody.
  public var user: FlagUser? { state.withLock { $0.user } }

  /// The change that ``undo()`` reverts, in words; nil if the undo history is empty.
  public var undoTitle: String? { state.withLock { $0.undo.last?.title } }

  /// Reverts the last change of overrides.
  ///
  /// - Returns: The change that was reverted, in words; nil if there was none.
  @discardableResult
  public func undo() throws(FlagError) -> String? {
    try checkWritable(.override)
    guard let step = state.withLock({ $0.undo.popLast() }) else { return nil }
    do throws(FlagError) {
      try setOverrides(step.overrides)
    } catch {
      state.withLock { $0.undo.append(step) }
      throw error
    }
    noteOwnChange()
    return step.title
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

  func noteUndo(_ title: String, _ overrides: [FlagKey: FlagValue?]) {
    state.withLock { state in
      state.undo.append(UndoStep(title: title, overrides: overrides))
      if state.undo.count > 50 { state.undo.removeFirst() }
    }
    noteOwnChange()
  }

  /// Notifies subscribers of a change, unless the observer will.
  private func noteOwnChange() {
    guard ports.observing == nil else { return }
    (origin ?? self).noteChange()  // which the sessions follow
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
    options.storesOverrides || options.isReadOnly || ports.overriding == nil
      ? nil : "Overrides end with this console: they are stored nowhere."
  }

  /// Checks that a person may make a change here, by default one of definitions or providers.
  func checkWritable(_ needed: FlagConsolePermission = .edit) throws(FlagError) {
    guard permission < needed else { return }
    throw FlagError(.general, permissionNotice.map { "not changed: \($0)" } ?? "this console is read-only")
  }

  func editable(
    _ key: String, by needed: FlagConsolePermission = .override
  ) throws(FlagError) -> CatalogEntries.Entry {
    try checkWritable(needed)
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
