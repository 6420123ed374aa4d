public import FlagDomain

extension FeatureFlagClient {
  /// Everything about a client that has a default.
  ///
  /// ```swift
  /// FeatureFlagClient.Configuration {
  ///   $0.launch = [LaunchArgumentsProvider()]
  ///   $0.reporter = reporter
  /// }
  /// ```
  public struct Configuration: Sendable {
    /// How providers call the flags; nil if that is their keys.
    ///
    /// Flags with a key of their own keep it.
    public var keys: KeyStyle?
    /// What rules may ask for that does not depend on the user, such as the app's version.
    public var attributes: [String: any FlagAttribute] = [:]
    /// Gives visitors an id, so that rules can put them into shares; nil for none.
    public var anonymousIDs: AnonymousIDs?
    /// Keeps overrides, and says what other programs change; nil keeps them until the program ends.
    public var overrides: (any FlagOverrideStore)?
    /// Overrides that hold for this run, such as launch arguments and the environment.
    public var launch: [any FixedFlagProvider] = []
    /// Receives what fails; nil for nobody.
    public var reporter: (any FlagErrorReporter)?
    /// Receives who saw which value of an experiment; nil for nobody.
    public var exposures: (any ExposureTracker)?
    /// Is called with each resolution that a read makes, on the reader's thread with no lock held; nil for nobody.
    ///
    /// A read whose value was kept makes none.
    public var onResolution: (@Sendable (FlagKey, FlagResolution<FlagValue>) -> Void)?

    /// Creates the defaults, and changes them.
    public init(_ change: (inout Configuration) throws -> Void = { _ in }) rethrows { try change(&self) }
  }
}
