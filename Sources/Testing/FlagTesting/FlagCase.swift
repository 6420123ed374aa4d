public import FlagDomain

/// A flag in one of its states: an argument of a test that runs in all of them.
///
/// ```swift
/// @Test("The screen has a title", arguments: SettingsFlags.newUserProfile.cases)
/// func title(flag: FlagCase<Bool>) {
///   #expect(SettingsModel(flags: TestFlags { flag.apply(to: $0) }).screen.first == "Settings")
/// }
/// ```
public struct FlagCase<Value: Decodable & Sendable>: Sendable, CustomStringConvertible {
  /// The flag.
  public let flag: any FeatureFlag<Value>
  /// The flag's value in this state.
  public let value: Value

  /// Sets the flag to the value.
  public func apply(to flags: TestFlags) { flags.set(flag, to: value) }

  /// The flag's key and the value.
  public var description: String { "\(flag.key) = \(value)" }
}

extension FeatureFlag where Value == Bool {
  /// The flag, off and on.
  public var cases: [FlagCase<Bool>] { [false, true].map { FlagCase(flag: self, value: $0) } }
}

extension FeatureFlag where Value: CaseIterable {
  /// The flag with each case of its type.
  public var cases: [FlagCase<Value>] { Value.allCases.map { FlagCase(flag: self, value: $0) } }
}
