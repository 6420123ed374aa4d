/// What happened to a unit of an experiment, which is mostly a user, as far as an analysis wants to know.
package enum TrackedEvent: Hashable, Sendable {
  /// A unit was given a variant.
  case exposure(Exposure)
  /// A unit did something that is counted.
  case conversion(Conversion)
  /// Events were dropped before they could be sent.
  case loss(count: Int)
  /// An event of another kind.
  case other(kind: String)

  package struct Exposure: Hashable, Sendable {
    package var flag: String
    /// The name of the variant, or where there is none, the value as JSON.
    package var variant: String
    package var unit: String
    package var time: EventTime
    /// The share of units whose events are kept, above 0 and at most 1.
    package var rate: Double
    /// The version of the definitions.
    package var version: String?

    package init(
      flag: String, variant: String, unit: String, time: EventTime, rate: Double = 1, version: String? = nil
    ) {
      (self.flag, self.variant, self.unit, self.time) = (flag, variant, unit, time)
      (self.rate, self.version) = (rate, version)
    }
  }

  package struct Conversion: Hashable, Sendable {
    package var name: String
    package var unit: String
    package var time: EventTime
    /// The same for an event that was sent twice, and for no other one.
    package var id: String
    package var value: Double

    package init(name: String, unit: String, time: EventTime, id: String, value: Double = 0) {
      (self.name, self.unit, self.time, self.id, self.value) = (name, unit, time, id, value)
    }
  }
}
