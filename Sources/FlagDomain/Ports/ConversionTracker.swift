/// Tracks what users do: the port of a feature module that an experiment is to change something for.
///
/// ```swift
/// conversions.track("purchase", value: 12.5, attributes: ["currency": "EUR"])
/// ```
public protocol ConversionTracker: Sendable {
  /// Tracks that the current user did something.
  ///
  /// It returns at once, and may be called from any thread. Nothing is tracked for a visitor without an id, since
  /// nothing could be said of what they saw.
  ///
  /// - Parameters:
  ///   - name: What was done.
  ///   - value: How much of it; nil where it only counts. One that is no finite number is not tracked.
  ///   - attributes: What else is to be known of it; it leaves the device as it is.
  func track(_ name: String, value: Double?, attributes: [String: FlagValue])
}

extension ConversionTracker {
  /// Tracks that the current user did something.
  public func track(_ name: String, value: Double? = nil) { track(name, value: value, attributes: [:]) }

  /// Tracks that the current user did something, with attributes that are plain values.
  public func track(_ name: String, value: Double? = nil, attributes: [String: any FlagAttribute]) {
    track(name, value: value, attributes: attributes.mapValues(\.attributeValue))
  }
}

/// Receives what users did: the port of an adapter that keeps or sends conversions.
public protocol ConversionCollector: Sendable {
  /// Receives a conversion, whose time is now.
  ///
  /// It may be called from any thread, and must return soon, without waiting for a file or a network.
  func collect(_ conversion: Conversion)
}
