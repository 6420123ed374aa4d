/// A type that stands in a flag value in a form of its own, rather than as its `Codable` form.
///
/// Dates, data and URLs conform outside the domain, which knows no Foundation.
public protocol FlagValueConvertible: Sendable {
  /// Creates the value, or throws a type mismatch that says what was expected.
  init(flagValue: FlagValue) throws(FlagError)

  /// The value as providers hold it; throws where it has no such form.
  var flagValue: FlagValue { get throws(FlagError) }
}
