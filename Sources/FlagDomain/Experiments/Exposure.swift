/// One user's read of a flag that is an experiment: who saw what, and why.
public struct Exposure: Hashable, Sendable {
  /// The flag's key in code.
  public var flag: FlagKey
  /// Who saw the value: the targeting key of the context that the flag was resolved for.
  public var unit: String
  /// What the reader was given; its metadata may hold the definition's `version` and `flagSetId`.
  public var resolution: FlagResolution<FlagValue>
  /// What the flag was resolved for.
  ///
  /// A tracker keeps of it what the app allows, and nothing else.
  public var context: EvaluationContext
  /// When the flag was read, by the tracker's clock: milliseconds since the beginning of 1970, UTC.
  public var time: Int64

  /// Creates an exposure.
  public init(
    flag: FlagKey, unit: String, resolution: FlagResolution<FlagValue>, context: EvaluationContext, time: Int64
  ) {
    self.flag = flag
    self.unit = unit
    self.resolution = resolution
    self.context = context
    self.time = time
  }
}
