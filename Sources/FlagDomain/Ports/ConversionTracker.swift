/// A tracker of users' actions: the port of a feature module whose effect an experiment measures.
///
/// ```swift
/// conversions.track("purchase", value: 12.5, attributes: ["currency": "EUR"])
/// ```
public protocol ConversionTracker: Sendable {
  /// Tracks an action of the current user.
  ///
  /// It returns at once, and may be called from any thread. Nothing is tracked for a visitor without any id that an
  /// experiment counts by, since the action could not be attributed to an exposure.
  ///
  /// - Parameters:
  ///   - name: The name of the action.
  ///   - value: The amount; nil if the action is only counted. A value that is not finite is not tracked.
  ///   - attributes: Further attributes; they leave the device unchanged.
  func track(_ name: String, value: Double?, attributes: [String: FlagValue])
}

extension ConversionTracker {
  /// Tracks an action of the current user.
  public func track(_ name: String, value: Double? = nil) { track(name, value: value, attributes: [:]) }

  /// Tracks an action of the current user, with attributes that are plain values.
  public func track(_ name: String, value: Double? = nil, attributes: [String: any FlagAttribute]) {
    track(name, value: value, attributes: attributes.mapValues(\.attributeValue))
  }
}

/// A receiver of users' actions: the port of an adapter that stores or sends conversions.
public protocol ConversionCollector: Sendable {
  /// Receives a conversion, whose time is now.
  ///
  /// It may be called from any thread, and must return soon, without waiting for a file or a network.
  func collect(_ conversion: Conversion)
}
