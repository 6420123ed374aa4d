/// Writes values into the providers that can be written to.
///
/// A written value stands where the provider stands: behind overrides, and behind the providers that are asked earlier.
public protocol FlagWriting: Sendable {
  /// The names of the providers that can be written to, in the order in which they are asked.
  var writableProviders: [String] { get }

  /// Writes a value of a flag to providers, all of them or none.
  ///
  /// - Parameters:
  ///   - value: The value; nil removes what the providers have, an explicit null is kept.
  ///   - flag: The flag.
  ///   - provider: The provider to write to, even one that the flag excludes; nil for each that can be written to and
  ///     that the flag does not exclude.
  /// - Returns: The names of the providers that were written to.
  /// - Throws: The error of a provider that cannot be written to, or that fails; then nothing has changed.
  @discardableResult
  func write(_ value: FlagValue?, for flag: some FeatureFlag, to provider: String?) throws(FlagError) -> [String]
}

extension FlagWriting {
  /// Writes a value of a flag to the providers that can be written to, or to one of them, all or none.
  ///
  /// - Returns: The names of the providers that were written to.
  /// - Throws: As the requirement does, and a type mismatch where the value cannot be encoded.
  @discardableResult
  public func write<F: FeatureFlag>(
    _ value: F.Value, for flag: F, to provider: String? = nil
  ) throws(FlagError) -> [String] where F.Value: Encodable {
    try write(FlagValue(encoding: value), for: flag, to: provider)
  }

  /// Removes a flag's value from the providers that can be written to, or from one of them, all or none.
  ///
  /// - Returns: The names of the providers that were written to.
  /// - Throws: As the requirement does.
  @discardableResult
  public func reset(_ flag: some FeatureFlag, in provider: String? = nil) throws(FlagError) -> [String] {
    try write(nil, for: flag, to: provider)
  }
}
