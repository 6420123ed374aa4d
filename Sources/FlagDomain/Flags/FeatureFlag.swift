/// A flag: a key, the type of its values, and the default that is used when no provider has a value.
///
/// Use ``Flag``, or conform a type of your own, for example to offer flags as static members.
public protocol FeatureFlag<Value>: Sendable {
  /// The type of the flag's values.
  associatedtype Value: Decodable & Sendable

  /// The name under which providers know the flag.
  var key: FlagKey { get }

  /// The value when nothing else gives one.
  var defaultValue: Value { get }

  /// The description of the flag, for people and for the client.
  var metadata: FlagMetadata { get }

  /// What of the metadata decides the flag's value and what is counted; where a type does not say it, it is looked up.
  ///
  /// It is asked for at each resolution, and counts no reference, as asking for the metadata does.
  var traits: FlagTraits { get }

  /// A closure that is asked after an override and before the providers, or nil.
  ///
  /// It is called at every read, on the reader's thread. If it returns nil, the providers are asked.
  var computed: (@Sendable (EvaluationContext) -> Value?)? { get }
}

extension FeatureFlag {
  /// Empty metadata.
  public var metadata: FlagMetadata { FlagMetadata() }

  /// What the metadata says.
  public var traits: FlagTraits { metadata.traits }

  /// No closure.
  public var computed: (@Sendable (EvaluationContext) -> Value?)? { nil }
}

/// What of a flag's metadata decides its value, or whether reads of it are counted.
public struct FlagTraits: OptionSet, Hashable, Sendable {
  /// A bit for each.
  public let rawValue: UInt8

  /// Creates traits from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The running value is kept until the next start.
  public static let requiresRestart = FlagTraits(rawValue: 1)
  /// An override counts only from the next start.
  public static let overridesRequireRestart = FlagTraits(rawValue: 2)
  /// There are providers that are not asked for the flag.
  public static let excludesProviders = FlagTraits(rawValue: 4)
  /// A read of the flag counts as an exposure of the user to the value.
  public static let isExperiment = FlagTraits(rawValue: 8)
  /// What makes something wait for the next start.
  public static let restart: FlagTraits = [.requiresRestart, .overridesRequireRestart]
}
