/// A type with a representation as a flag value other than its `Codable` one.
///
/// `Date`, `Data`, `Decimal` and `URL` conform in `FlagProviders`, since this module does not import Foundation.
public protocol FlagValueConvertible: Sendable {
  /// Creates the value, or throws a type mismatch with the expected type.
  init(flagValue: FlagValue) throws(FlagError)

  /// The value as providers store it; throws if it cannot be represented.
  var flagValue: FlagValue { get throws(FlagError) }
}
