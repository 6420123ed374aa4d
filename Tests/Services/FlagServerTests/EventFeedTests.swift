import FlagHTTP
import Testing

@testable import FlagServer

@Suite("Event feed")
struct EventFeedTests {
  @Test("A stream has the newest event first, then later ones, skipping what it missed")
  func skips() {
    let feed = EventFeed()
    feed.send(ServerSentEvent(data: "1"))
    feed.send(ServerSentEvent(data: "2", id: "b"))
    var position = feed.position(lastEventID: "a")
    #expect(feed.next(&position) == .event(ServerSentEvent(data: "2", id: "b").bytes, isLast: false))
    #expect(feed.next(&position) == .nothing)
    for number in 3...9 { feed.send(ServerSentEvent(data: "\(number)")) }
    feed.finish()
    feed.send(ServerSentEvent(data: "late"))
    #expect(feed.next(&position) == .event(ServerSentEvent(data: "9").bytes, isLast: true))
    #expect(feed.next(&position) == .end)
  }

  @Test("A client that has seen the newest event waits for the next")
  func resumes() {
    let feed = EventFeed()
    var early = feed.position(lastEventID: nil)
    #expect(feed.next(&early) == .nothing)
    feed.send(ServerSentEvent(data: "1", id: "a"))
    var position = feed.position(lastEventID: "a")
    #expect(feed.next(&position) == .nothing)
    feed.send(ServerSentEvent(data: "2", id: "b"))
    #expect(feed.next(&position) == .event(ServerSentEvent(data: "2", id: "b").bytes, isLast: false))
  }
}
