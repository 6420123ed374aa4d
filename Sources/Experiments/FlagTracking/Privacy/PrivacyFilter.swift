import FlagDomain
import FlagEvents
import FlagSupport

/// Removes from events all that may not be stored, before they are queued.
struct PrivacyFilter: Sendable {
  private let attributes: Set<String>
  private let conversionAttributes: Set<String>?
  private let privateAttributes: Set<String>
  private let key: [UInt8]?
  private let options: TrackingOptions

  init(_ options: TrackingOptions) throws(FlagError) {
    if let count = options.unitHashKey?.count, count < 16 {
      throw .tracking("unitHashKey: expected a key of at least 16 bytes, found \(count)")
    }
    (attributes, conversionAttributes) = (options.attributes, options.conversionAttributes)
    (privateAttributes, key, self.options) = (options.privateAttributes, options.unitHashKey, options)
  }

  /// Returns the id of a unit as events have it.
  func name(of unit: String) -> String {
    guard let key else { return unit }
    return SHA256.hex(of: unit.utf8, key: key)
  }

  /// Returns an exposure as it may be stored; nil for one whose unit must not leave the device.
  ///
  /// A unit that is not sampled is stored nowhere, not even beside one that is.
  func stored(_ exposure: Exposure) -> TrackedExposure? {
    guard !privateAttributes.contains(exposure.unitAttribute) else { return nil }
    var stored = TrackedExposure(
      exposure, attributes: attributes.subtracting(privateAttributes), rate: options.rate)
    let ids = stored.units.merging([stored.unitAttribute: stored.unit]) { $1 }
    (stored.unit, stored.units) = (name(of: stored.unit), storedUnits(stored.units))
    // An attribute that is an id of the event is hashed as the id is.
    if key != nil {
      for (name, id) in ids where stored.attributes[name] != nil {
        stored.attributes[name] = .string(self.name(of: id))
      }
    }
    return stored
  }

  /// Returns a conversion as it may be stored; nil for one that none of its units may be stored of.
  func stored(_ conversion: Conversion) -> Conversion? {
    let units = storedUnits(conversion.units)
    guard !units.isEmpty else { return nil }
    var stored = conversion
    stored.units = units
    stored.attributes = conversion.attributes.filter { conversionAttributes?.contains($0.key) ?? true }
    return stored
  }

  private func storedUnits(_ units: [String: String]) -> [String: String] {
    units.filter { !privateAttributes.contains($0.key) }.mapValues(name).filter { options.samples($0.value) }
  }
}
