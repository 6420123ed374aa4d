public import FlagDomain

extension FeatureFlagClient {
  /// Returns the port by which a feature module tracks conversions, for the current user at the time of each.
  ///
  /// - Parameter collector: Receives the conversions; usually also the tracker of exposures.
  /// - Returns: The port for the feature module.
  public func conversions(to collector: any ConversionCollector) -> any ConversionTracker {
    UserConversions(collector: collector) { [current] in current.state.content.context.targetingKey }
  }

  /// Returns the port by which conversions of a given user are tracked: for servers, one per request.
  public func conversions(of user: FlagUser, to collector: any ConversionCollector) -> any ConversionTracker {
    UserConversions(collector: collector) { user.id }
  }
}

/// A conversion tracker that adds the user to each conversion.
private struct UserConversions: ConversionTracker {
  let collector: any ConversionCollector
  let unit: @Sendable () -> String?

  func track(_ name: String, value: Double?, attributes: [String: FlagValue]) {
    guard let unit = unit(), value?.isFinite != false else { return }
    collector.collect(Conversion(name: name, unit: unit, value: value, attributes: attributes))
  }
}
