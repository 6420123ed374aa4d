import FlagDomain
import Testing

@Suite("Change feeds")
struct ChangeFeedTests {
  private let feeds = ChangeFeeds()

  @Test("The feed of a flag has its changes and those of every flag, and no others")
  func choosesFlags() async {
    var (one, all) = (feeds.changes(of: "one").makeAsyncIterator(), feeds.changes().makeAsyncIterator())
    feeds.send(change(of: ["two"], .override))
    feeds.send(change(of: ["one", "two"], .user))
    feeds.send(change(of: ["three"], .context))
    #expect(await one.next() == change(of: ["one", "two"], .user))
    #expect(await all.next()?.causes == [.override, .user, .context])
    feeds.send(FlagChange(keys: .all, causes: [.providers]))
    #expect(await one.next() == FlagChange(keys: .all, causes: [.providers]))
    #expect(feeds.count == 2)
  }

  @Test("A feed ends with its consumer")
  func forgetsConsumers() {
    withExtendedLifetime((feeds.changes(of: "one"), feeds.changes(of: "one"), feeds.changes())) {
      #expect(feeds.count == 3)
    }
    #expect(feeds.count == 0)
  }

  @Test("The feeds end with the object that they are of")
  func endsFeeds() async {
    let (one, all) = { [feeds = ChangeFeeds()] in (feeds.changes(of: "one"), feeds.changes()) }()
    var (ones, alls) = (one.makeAsyncIterator(), all.makeAsyncIterator())
    #expect(await ones.next() == nil)
    #expect(await alls.next() == nil)
  }

  private func change(of names: Set<String>, _ cause: FlagChange.Cause) -> FlagChange {
    FlagChange(keys: .some(names), causes: [cause])
  }
}
