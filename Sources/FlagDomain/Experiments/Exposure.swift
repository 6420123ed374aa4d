/// One user's read of a flag that is an experiment.
public struct Exposure: Hashable, Sendable {
  /// The flag's key in code.
  public var flag: FlagKey
  /// The id of whom the experiment counts: the value of the ``unitAttribute`` in the context.
  public var unit: String
  /// The name of the attribute that the experiment counts by: the one that the definition's metadata name as
  /// `unitAttribute`, or else `targetingKey`.
  public var unitAttribute: String
  /// The resolution that the reader received; its metadata may hold the definition's `version` and `flagSetId`.
  public var resolution: FlagResolution<FlagValue>
  /// The context that the flag was resolved for.
  ///
  /// A tracker stores only the parts that the app allows.
  public var context: EvaluationContext
  /// The time of the read, by the tracker's clock: milliseconds since the beginning of 1970, UTC.
  public var time: Int64

  /// Creates an exposure.
  public init(
    flag: FlagKey, unit: String, unitAttribute: String = "targetingKey", resolution: FlagResolution<FlagValue>,
    context: EvaluationContext, time: Int64
  ) {
    self.flag = flag
    self.unit = unit
    self.unitAttribute = unitAttribute
    self.resolution = resolution
    self.context = context
    self.time = time
  }
}
