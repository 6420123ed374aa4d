/// The contexts whose answers may be cached: each makes a file, and attributes may change many times a second.
///
/// A few at once, such as those of an app that starts, and then one a minute.
struct CacheAllowance {
  static let limit = 32
  static let interval = Duration.seconds(60)

  private var left = CacheAllowance.limit
  private var refilledAt = Duration.zero

  /// Returns whether another context's answer may be cached, and counts it.
  mutating func take(at now: Duration) -> Bool {
    let passed = ((now - refilledAt) / Self.interval).rounded(.down)
    if passed >= 1 {
      left = min(Self.limit, left + Int(min(passed, Double(Self.limit))))
      refilledAt = now
    }
    guard left > 0 else { return false }
    left -= 1
    return true
  }
}
