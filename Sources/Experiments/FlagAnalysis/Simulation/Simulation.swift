import FlagDomain
package import FlagEvents
import FlagSupport

/// A simulated experiment: users, their exposures, and their conversions.
///
/// A user's events depend only on the seed and the user's number: more users do not change those before them.
package struct Simulation: Hashable, Sendable {
  package var users = 1_000
  package var seed: UInt64 = 1
  /// The time of the first user; the others follow at equal intervals.
  package var start = EventTime(microseconds: 1_767_225_600_000_000)
  package var days = 14
  package var behaviors: [Behavior] = []
  package var effects: [Effect] = []

  package struct Behavior: Hashable, Sendable {
    package var name: String
    /// The share of users with the conversion, one for each.
    package var share: Double
    /// The mean of the values, which are distributed evenly from 0 to twice as much; nil for no values.
    package var value: Double?
  }

  package struct Effect: Hashable, Sendable {
    package var variant: String
    /// The name of the conversion; nil for all.
    package var name: String?
    /// The relative change of the share of users.
    package var lift: Double
  }

  package init() {}

  /// Returns the share of a variant's users with a conversion, at most 1.
  package func share(of behavior: Behavior, in variant: String) -> Double {
    let lifts = effects.filter { $0.variant == variant && ($0.name ?? behavior.name) == behavior.name }
    return min(1, max(0, lifts.reduce(behavior.share) { $0 * (1 + $1.lift) }))
  }

  package func unit(_ number: Int) -> String { "user-\(number + 1)" }

  /// Returns the events of a user: the exposure, and the conversions after it.
  package func events(ofUser number: Int, _ exposure: TrackedExposure) -> [TrackedEvent] {
    var random = SplitMix64(seed: seed, stream: UInt64(number))
    let time = start.microseconds + Int64(Double(days) * Self.day * Double(number) / Double(max(1, users)))
    var events = [
      TrackedEvent(id: random.uuid(), time: EventTime(microseconds: time), content: .exposure(exposure))
    ]
    for behavior in behaviors {
      // The random numbers are always drawn, whether the event happens or not.
      let (chance, delay, amount, id) = (random.unit(), random.unit(), random.unit(), random.uuid())
      guard chance < share(of: behavior, in: exposure.label) else { continue }
      let value = behavior.value.map { (amount * 2 * $0 * 100).rounded() / 100 }
      events.append(
        TrackedEvent(
          id: id, time: EventTime(microseconds: time + Int64(delay * Self.day)),
          content: .conversion(Conversion(name: behavior.name, unit: exposure.unit, value: value))))
    }
    return events
  }

  private static let day = 86_400_000_000.0  // in microseconds
}

extension Simulation.Behavior {
  /// Parses `NAME=SHARE[:VALUE]`, such as `purchase=10%:25`.
  package init(_ text: String) throws(AnalysisError) {
    guard let sign = text.lastIndex(of: "="), sign > text.startIndex else { throw Self.error(text) }
    let parts = text[text.index(after: sign)...].split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2, let share = Double(percentage: parts[0]), (0...1).contains(share) else {
      throw Self.error(text)
    }
    (name, self.share) = (String(text[..<sign]), share)
    guard parts.count == 2 else { return }
    guard let value = Double(parts[1]), value.isFinite, value.magnitude <= 1e12 else { throw Self.error(text) }
    self.value = value
  }

  private static func error(_ text: String) -> AnalysisError {
    AnalysisError(
      "expected a name, a share of users and maybe a mean value, as in purchase=10%:25, found \(text.quoted)")
  }
}

extension Simulation.Effect {
  /// Parses `VARIANT[:NAME]=LIFT`, such as `green:purchase=+5%`.
  package init(_ text: String) throws(AnalysisError) {
    guard let sign = text.lastIndex(of: "="), sign > text.startIndex,
      let lift = Double(percentage: text[text.index(after: sign)...]), lift >= -1
    else {
      throw AnalysisError("expected a variant and its effect, as in green:purchase=+5%, found \(text.quoted)")
    }
    let parts = text[..<sign].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    (variant, name, self.lift) = (parts[0], parts.count == 2 ? parts[1] : nil, lift)
  }
}

extension SplitMix64 {
  /// Creates one of the streams of a seed.
  fileprivate init(seed: UInt64, stream: UInt64) {
    var first = SplitMix64(state: seed)
    var second = SplitMix64(state: first.next() ^ (stream &* 0xd134_2543_de82_ef95))
    self.init(state: second.next())
  }

  /// Returns a random number in 0..<1.
  fileprivate mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Returns a random UUID (RFC 9562, version 4).
  fileprivate mutating func uuid() -> String {
    let high = next() & 0xffff_ffff_ffff_0fff | 0x4000
    let low = next() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
    var text = (high.hexDigits + low.hexDigits).uppercased()
    for place in [20, 16, 12, 8] { text.insert("-", at: text.utf8.index(text.startIndex, offsetBy: place)) }
    return text
  }
}
