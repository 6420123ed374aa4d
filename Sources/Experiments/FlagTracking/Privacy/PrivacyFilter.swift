import FlagDomain
import FlagEvents
import FlagSupport

/// Removes from events all that may not be stored, before they are queued.
struct PrivacyFilter: Sendable {
  private let attributes: Set<String>
  private let conversionAttributes: Set<String>?
  private let key: [UInt8]?
  private let rate: Double

  init(_ options: TrackingOptions) throws(FlagError) {
    if let count = options.unitHashKey?.count, count < 16 {
      throw .tracking("unitHashKey: expected a key of at least 16 bytes, found \(count)")
    }
    (attributes, conversionAttributes) = (options.attributes, options.conversionAttributes)
    (key, rate) = (options.unitHashKey, options.rate)
  }
}

extension PrivacyFilter {
  /// Returns the id of a unit as events have it.
  func name(of unit: String) -> String {
    guard let key else { return unit }
    return SHA256.hex(of: unit.utf8, key: key)
  }

  /// Returns an exposure as it may be stored.
  func stored(_ exposure: Exposure, of unit: String) -> TrackedExposure {
    var stored = TrackedExposure(exposure, attributes: attributes, rate: rate)
    stored.unit = unit
    if key != nil, case .string(let id)? = stored.attributes[Self.targetingKey] {
      stored.attributes[Self.targetingKey] = .string(name(of: id))
    }
    return stored
  }

  /// Returns a conversion as it may be stored.
  func stored(_ conversion: Conversion, of unit: String) -> Conversion {
    var stored = conversion
    stored.unit = unit
    stored.attributes = conversion.attributes.filter { conversionAttributes?.contains($0.key) ?? true }
    return stored
  }

  private static let targetingKey = "targetingKey"
}
