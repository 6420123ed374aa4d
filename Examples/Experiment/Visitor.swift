/// A user who does what users do, the same in each run of the example.
struct Visitor {
  private var state: UInt64

  init(_ number: Int) { state = UInt64(number) &* 0x9e37_79b9_7f4a_7c15 }

  /// The user's actions: users who see badges open the profile more often, and users who see likes read more.
  mutating func actions(on settings: [String], _ feed: [String]) -> [String] {
    let opens = random() < (settings.contains("Badges") ? 0.42 : 0.30)
    let crashes = random() < 0.05
    let reads = Int(random() * (feed[1].hasPrefix("A map") ? 4.6 : 4))
    return (opens ? ["open-profile"] : []) + (crashes ? ["crash"] : []) + Array(repeating: "read", count: reads)
  }

  /// A number from 0 to under 1 (SplitMix64).
  private mutating func random() -> Double {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return Double((bits ^ (bits >> 31)) >> 11) * 0x1p-53
  }
}
