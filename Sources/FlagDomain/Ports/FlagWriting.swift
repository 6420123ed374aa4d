/// The port for writing values into writable providers.
///
/// A written value has the precedence of its provider: overrides and providers that are queried earlier come first.
public protocol FlagWriting: Sendable {
  /// The names of the writable providers, in the order in which they are queried.
  var writableProviders: [String] { get }

  /// Changes the value of a flag in some providers: in all of them, or in none.
  ///
  /// - Parameters:
  ///   - edit: The change.
  ///   - flag: The flag.
  ///   - providers: The names of the providers to write to, including ones that the flag excludes; if empty, all
  ///     writable providers that the flag does not exclude.
  /// - Returns: The names of the providers that were written to; never empty.
  /// - Throws: An error if no provider is writable, a name is unknown, or the provider with that name is read-only; and
  ///   the error of a provider that fails. Then nothing has changed.
  @discardableResult
  func apply(_ edit: FlagEdit, to flag: some FeatureFlag, in providers: [String]) throws(FlagError) -> [String]

  /// Removes the values of every flag that the composition knows from one provider: all of them, or none.
  ///
  /// - Throws: An error if the name is unknown, or the provider is read-only; and the provider's error.
  func resetAll(in provider: String) throws(FlagError)
}

/// A change of a value in a provider.
public enum FlagEdit: Hashable, Sendable {
  /// A new value.
  case set(FlagValue)
  /// The removal of the value.
  case remove
}

extension FlagWriting {
  /// Writes a flag's value to all writable providers, or to the named ones: to all of them, or to none.
  ///
  /// - Returns: The names of the providers that were written to.
  /// - Throws: As ``apply(_:to:in:)`` does, and a type mismatch if the value cannot be encoded, or is nil, which is
  ///   ambiguous: use ``writeNull(for:to:)`` or ``reset(_:in:)``.
  @discardableResult
  public func write<F: FeatureFlag>(
    _ value: F.Value, for flag: F, to providers: String...
  ) throws(FlagError) -> [String] where F.Value: Encodable {
    let value = try FlagValue(encoding: value)
    guard value != .null else {
      throw FlagError(
        .typeMismatch, "expected a value, found nil; writeNull writes null, reset removes the value", key: flag.key)
    }
    return try apply(.set(value), to: flag, in: providers)
  }

  /// Writes an explicit null to all writable providers, or to the named ones: to all of them, or to none.
  ///
  /// - Returns: The names of the providers that were written to.
  /// - Throws: As ``apply(_:to:in:)`` does.
  @discardableResult
  public func writeNull<F: FeatureFlag, Wrapped>(
    for flag: F, to providers: String...
  ) throws(FlagError) -> [String] where F.Value == Wrapped? {
    try apply(.set(.null), to: flag, in: providers)
  }

  /// Removes a flag's value from all writable providers, or from the named ones: from all of them, or from none.
  ///
  /// - Returns: The names of the providers that were written to.
  /// - Throws: As ``apply(_:to:in:)`` does.
  @discardableResult
  public func reset(_ flag: some FeatureFlag, in providers: String...) throws(FlagError) -> [String] {
    try apply(.remove, to: flag, in: providers)
  }
}
