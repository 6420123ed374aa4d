/// A flag: a key, the type of its values, and the default that is used when no provider has a value.
///
/// Use ``Flag``, or conform a type of your own, for example to offer flags as static members.
public protocol FeatureFlag<Value>: Sendable {
  /// The type of the flag's values.
  associatedtype Value: Decodable & Sendable

  /// The name under which providers know the flag.
  var key: FlagKey { get }

  /// The value that is used if there is no other.
  var defaultValue: Value { get }

  /// The description of the flag, for people and for the client.
  var metadata: FlagMetadata { get }

  /// The parts of the metadata that affect the flag's value and the counting of reads; derived from the metadata by
  /// default.
  ///
  /// It is read at each resolution. Unlike reading the metadata, it needs no reference counting.
  var traits: FlagTraits { get }

  /// A closure that is evaluated after an override and before the providers, or nil.
  ///
  /// It is called at every read, on the reader's thread. If it returns nil, the providers are queried.
  var computed: (@Sendable (EvaluationContext) -> Value?)? { get }

  /// A closure that is evaluated if no provider has a value, before the default, or nil.
  ///
  /// It is called at every read, on the reader's thread. If it returns nil, the default is used.
  var fallback: (@Sendable (EvaluationContext) -> Value?)? { get }
}

extension FeatureFlag {
  /// Empty metadata.
  public var metadata: FlagMetadata { FlagMetadata() }

  /// The traits in the metadata.
  public var traits: FlagTraits { metadata.traits }

  /// No closure.
  public var computed: (@Sendable (EvaluationContext) -> Value?)? { nil }

  /// No closure.
  public var fallback: (@Sendable (EvaluationContext) -> Value?)? { nil }
}

/// The parts of a flag's metadata that affect its value, or whether reads of it are counted.
public struct FlagTraits: OptionSet, Hashable, Sendable {
  /// The bits, one for each trait.
  public let rawValue: UInt8

  /// Creates traits from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The value stays the same until the next start.
  package static let requiresRestart = FlagTraits(rawValue: 1)
  /// An override takes effect only at the next start.
  package static let overridesRequireRestart = FlagTraits(rawValue: 2)
  /// Some providers are excluded for the flag.
  package static let excludesProviders = FlagTraits(rawValue: 4)
  /// A read of the flag counts as an exposure of the user to the value.
  package static let isExperiment = FlagTraits(rawValue: 8)
  /// The flag requires another one, or follows from others.
  package static let dependsOnFlags = FlagTraits(rawValue: 16)
  /// The traits that delay a change to the next start.
  package static let restart: FlagTraits = [.requiresRestart, .overridesRequireRestart]
}
