public import FlagDomain

extension FeatureFlagClient {
  /// The settings of a client that have a default.
  ///
  /// ```swift
  /// FeatureFlagClient.Configuration {
  ///   $0.launch = [LaunchArgumentsProvider()]
  ///   $0.reporter = reporter
  /// }
  /// ```
  public struct Configuration: Sendable {
    /// The style of providers' keys; nil for the flags' own keys.
    ///
    /// A flag that was declared with its whole key keeps it.
    public var keys: KeyStyle?
    /// The attributes for rules that do not depend on the user, such as the app's version.
    public var attributes: [String: any FlagAttribute] = [:]
    /// The source of visitors' ids, by which rollouts assign them; nil for none.
    public var anonymousIDs: AnonymousIDs?
    /// The store of overrides, which also reports changes by other programs; nil keeps overrides until the program
    /// ends.
    public var overrides: (any FlagOverrideStore)?
    /// Where overrides have an effect; elsewhere setting one throws, and stored ones stay unused.
    public var overriding = OverridingPolicy.always
    /// Whether an override is stored that equals what is read without it; if not, setting one clears the override.
    public var storesRedundantOverrides = true
    /// The providers of overrides for this run, such as launch arguments and the environment.
    public var launch: [any FixedFlagProvider] = []
    /// The receiver of errors, or nil.
    public var reporter: (any FlagErrorReporter)?
    /// The receiver of exposures to experiments, or nil.
    public var exposures: (any ExposureTracker)?
    /// A closure that is called with each resolution that a read makes, on the reader's thread with no lock held, or
    /// nil.
    ///
    /// A read of a cached value makes no resolution, nor does one within the closure.
    public var onResolution: (@Sendable (FlagKey, FlagResolution<FlagValue>) -> Void)?
    /// The clock for the delays before an anonymous id that could not be read is requested again.
    package var clock: any Clock<Duration> = ContinuousClock()

    /// Creates a configuration from the defaults, and changes it.
    public init(_ change: (inout Configuration) throws -> Void = { _ in }) rethrows { try change(&self) }
  }
}
