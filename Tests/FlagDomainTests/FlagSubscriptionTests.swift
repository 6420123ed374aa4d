import FlagDomain
import Testing

@Suite("Subscriptions")
struct FlagSubscriptionTests {
  @Test("A subscription ends once, however often it is cancelled, and when it is released", arguments: 0..<3)
  func endsOnce(cancellations: Int) async {
    let ends = Locked(0)
    do {
      let subscription = FlagSubscription { ends.withLock { $0 += 1 } }
      for _ in 0..<cancellations { subscription.cancel() }
      await withTaskGroup { group in
        for _ in 0..<cancellations { group.addTask { subscription.cancel() } }
      }
      #expect(ends.withLock { $0 } == min(cancellations, 1))
    }
    #expect(ends.withLock { $0 } == 1)
  }
}
