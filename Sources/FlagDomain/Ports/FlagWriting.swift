/// Writes values into writable providers.
///
/// A written value has the precedence of its provider: overrides and providers that are asked earlier come first.
public protocol FlagWriting: Sendable {
  /// The names of the providers that can be written to, in the order in which they are asked.
  var writableProviders: [String] { get }

  /// Changes the value of a flag in some providers: in all of them, or in none.
  ///
  /// - Parameters:
  ///   - edit: The change.
  ///   - flag: The flag.
  ///   - providers: The names of the providers to write to, even of ones that the flag excludes; empty for each that
  ///     can be written to and that the flag does not exclude.
  /// - Returns: The names of the providers that were written to; never empty.
  /// - Throws: Where there is no provider to write to, or a name is unknown, or that of a provider that cannot be
  ///   written to; and the error of a provider that fails. Then nothing has changed.
  @discardableResult
  func apply(_ edit: FlagEdit, to flag: some FeatureFlag, in providers: [String]) throws(FlagError) -> [String]

  /// Removes the values of every flag that the composition knows from one provider, all or none.
  ///
  /// - Throws: Where the name is unknown, or that of a provider that cannot be written to; and the provider's error.
  func resetAll(in provider: String) throws(FlagError)
}

/// A change of a value in a provider.
public enum FlagEdit: Hashable, Sendable {
  /// Sets the value.
  case set(FlagValue)
  /// Removes the value.
  case remove
}

extension FlagWriting {
  /// Writes a value of a flag to the providers that can be written to, or to those of some names, all or none.
  ///
  /// - Returns: The names of the providers that were written to.
  /// - Throws: As ``apply(_:to:in:)`` does, and a type mismatch where the value cannot be encoded, or is nil: which of
  ///   ``writeNull(for:to:)`` and ``reset(_:in:)`` is meant is said by their names.
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

  /// Writes null, a value of its own, to the providers that can be written to, or to those of some names, all or none.
  ///
  /// - Returns: The names of the providers that were written to.
  /// - Throws: As ``apply(_:to:in:)`` does.
  @discardableResult
  public func writeNull<F: FeatureFlag, Wrapped>(
    for flag: F, to providers: String...
  ) throws(FlagError) -> [String] where F.Value == Wrapped? {
    try apply(.set(.null), to: flag, in: providers)
  }

  /// Removes a flag's value from the providers that can be written to, or from those of some names, all or none.
  ///
  /// - Returns: The names of the providers that were written to.
  /// - Throws: As ``apply(_:to:in:)`` does.
  @discardableResult
  public func reset(_ flag: some FeatureFlag, in providers: String...) throws(FlagError) -> [String] {
    try apply(.remove, to: flag, in: providers)
  }
}
