public import FlagDomain

extension FeatureFlagClient {
  /// Returns what a feature module tracks conversions by: of whoever is the current user at that moment.
  ///
  /// - Parameter collector: Receives the conversions; usually also the tracker of exposures.
  /// - Returns: The port for the feature module.
  public func conversions(to collector: any ConversionCollector) -> any ConversionTracker {
    UserConversions(collector: collector) { [current] in current.state.content.context.targetingKey }
  }

  /// Returns what conversions of a given user are tracked by: for servers, one per request.
  public func conversions(of user: FlagUser, to collector: any ConversionCollector) -> any ConversionTracker {
    UserConversions(collector: collector) { user.id }
  }
}

/// Adds to a conversion who it is of.
private struct UserConversions: ConversionTracker {
  let collector: any ConversionCollector
  let unit: @Sendable () -> String?

  func track(_ name: String, value: Double?, attributes: [String: FlagValue]) {
    guard let unit = unit(), value?.isFinite != false else { return }
    collector.collect(Conversion(name: name, unit: unit, value: value, attributes: attributes))
  }
}
