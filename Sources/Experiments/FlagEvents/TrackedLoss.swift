/// A loss of events: the number that a tracker dropped, and the units whose events are incomplete because of it.
///
/// A tracker whose queue is full drops whole units, chosen by a hash of their ids, so that what is left is unbiased.
public struct TrackedLoss: Hashable, Sendable {
  /// The number of dropped events.
  public var count: Int
  /// The number of events that were tracked since the last loss, including dropped ones; nil if it is unknown.
  public var total: Int?
  /// The smallest share of units that were kept, from 0 to 1; nil if events were not dropped by whole units.
  ///
  /// Of the units of this tracker, those whose ``position(of:)`` is at least this number are incomplete.
  public var kept: Double?
  /// The only unit that lost events; nil if there are several, or none is known.
  public var unit: String?

  /// Creates a loss.
  public init(count: Int, total: Int? = nil, kept: Double? = nil, unit: String? = nil) {
    (self.count, self.total, self.kept, self.unit) = (count, total, kept, unit)
  }

  /// The position of a unit among all units, in 0..<1: a tracker without room keeps those below ``kept``.
  ///
  /// It is independent of the variants that units are given, and of ``TrackedExposure/rate``.
  public static func position(of unit: String) -> Double { UnitHash(seed: "loss").position(of: unit) }
}
