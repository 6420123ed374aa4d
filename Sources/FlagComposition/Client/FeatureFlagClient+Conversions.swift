public import FlagDomain

extension FeatureFlagClient {
  /// Returns the port by which a feature module tracks conversions, for the current user at the time of each.
  ///
  /// - Parameter collector: Receives the conversions; usually also the tracker of exposures.
  /// - Returns: The port for the feature module.
  public func conversions(to collector: any ConversionCollector) -> any ConversionTracker {
    UserConversions(collector: collector) { [current] in
      let state = current.state
      return state.content.context.units(named: current.unitAttributes(in: state))
    }
  }

  /// Returns the port by which conversions of a given user are tracked: for servers, one per request.
  public func conversions(of user: FlagUser, to collector: any ConversionCollector) -> any ConversionTracker {
    UserConversions(collector: collector) { [current] in
      let state = current.state
      return state.context(of: user).units(named: current.unitAttributes(in: state))
    }
  }
}

/// A conversion tracker that adds to each conversion the ids of those who did it.
private struct UserConversions: ConversionTracker {
  let collector: any ConversionCollector
  let units: @Sendable () -> [String: String]

  func track(_ name: String, value: Double?, attributes: [String: FlagValue]) {
    let units = units()
    guard !units.isEmpty, value?.isFinite != false else { return }
    collector.collect(Conversion(name: name, units: units, value: value, attributes: attributes))
  }
}
