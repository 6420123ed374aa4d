import FlagDomain
@testable import FlagServices
import Foundation
import TestSupport
import Testing

@Suite("Follower")
struct FollowerTests {
  private typealias State = Follower
  private typealias Fetch = State.Fetch
  private let nobody = EvaluationContext()
  private let ann = EvaluationContext(user: FlagUser(id: "ann"))
  private let source = EventSource(url: Self.address("events"))

  private static func address(_ path: String) -> URL { URL(filePath: "/\(path)") }

  private func state(_ schedule: FollowerSchedule = FollowerSchedule(polling: .seconds(30))) -> State {
    State(schedule, for: nobody, randomness: { 0.5 })
  }

  private func fetch(_ number: Int, tag: String? = nil, hint: ChangeHint? = nil) -> State.Action {
    .fetch(Fetch(number: number, context: nobody, tag: tag, hint: hint))
  }

  @Test("It asks at once, then each interval, with the tag of the last answer")
  func polls() {
    var state = state()
    #expect(state.start(tag: nil, at: .zero) == [fetch(1)])
    #expect(state.settle(1, with: .success(FetchAnswer(tag: "a")), at: .zero) == [.wake(2, after: .seconds(30))])
    #expect(state.wakeUp(2, at: .seconds(30)) == [fetch(3, tag: "a")])
    #expect(
      state.settle(3, with: .success(FetchAnswer(isUnchanged: true)), at: .seconds(30))
        == [.wake(4, after: .seconds(30))])
    #expect(state.wakeUp(4, at: .seconds(60)) == [fetch(5, tag: "a")])
  }

  @Test("An interval is a tenth less or more, by chance", arguments: [(0.0, 27.0), (0.5, 30), (1, 33)])
  func jitters(randomness: Double, seconds: Double) {
    let delay = FollowerSchedule(polling: .seconds(30)).pollingDelay(randomness: randomness)
    #expect(delay == .seconds(seconds))
  }

  @Test("Without an interval and without streams nothing is asked for after an answer")
  func stays() {
    var state = state(FollowerSchedule())
    _ = state.start(tag: "kept", at: .zero)
    #expect(state.settle(1, with: .success(FetchAnswer(isUnchanged: true)), at: .zero) == [])
    #expect(state.becomeActive(at: .seconds(1)) == [fetch(2, tag: "kept")])
  }

  private static let failures: [(FetchFailure.Kind, [Double])] = [
    (.other, [0.5, 1, 2, 4, 8, 16, 32, 64, 128, 150, 150]), (.refused, [350, 350, 350]),
    (.busy(nil), [0.5, 1, 2]), (.busy(.seconds(6)), [7, 7]), (.busy(.zero), [0.5, 1]),
    (.busy(.seconds(1_000_000)), [1_050]),
  ]

  @Test("After failures it waits as their kind says, and never stops", arguments: failures)
  func waits(kind: FetchFailure.Kind, seconds: [Double]) {
    var state = state()
    var (actions, number, now) = (state.start(tag: nil, at: .zero), 1, Duration.zero)
    #expect(actions == [fetch(1)])
    for seconds in seconds {
      #expect(state.release(number, at: now) == [])
      actions = state.settle(number, with: .failure(failure(kind)), at: now) ?? []
      #expect(actions == [.wake(number + 1, after: .seconds(seconds))])
      now += .seconds(seconds)
      #expect(state.wakeUp(number + 1, at: now) == [fetch(number + 2)])
      number += 2
    }
  }

  private func failure(_ kind: FetchFailure.Kind) -> FetchFailure {
    FetchFailure(error: FlagError(.general, "down"), kind: kind)
  }

  @Test("Another user's request is cancelled before the new one is sent, without the tag, and its answer is dropped")
  func changesUser() {
    var state = state()
    _ = state.start(tag: "a", at: .zero)
    let second = State.Action.fetch(Fetch(number: 2, context: ann, tag: nil, hint: nil))
    #expect(state.setContext(ann, tag: nil, at: .zero) == [.cancelFetch(1), second])
    #expect(state.settle(1, with: .success(FetchAnswer(tag: "old")), at: .zero) == nil)
    #expect(state.tag == nil)
    #expect(state.setContext(ann, tag: nil, at: .zero) == [])
    #expect(state.settle(2, with: .success(FetchAnswer(tag: "new")), at: .zero) == [.wake(3, after: .seconds(30))])
    #expect(
      state.setContext(nobody, tag: nil, at: .zero) == [.cancelWake(3), fetch(4)])
  }

  @Test("A stream that is open replaces polling; what it says is asked for, once for all that it says meanwhile")
  func streams() {
    var state = state()
    _ = state.start(tag: nil, at: .zero)
    let answer = FetchAnswer(tag: "a", sources: [source])
    #expect(state.settle(1, with: .success(answer), at: .zero) == [.openStream(2, source)])
    #expect(state.streamOpened(2, at: .zero) == [fetch(3, tag: "a")])
    #expect(state.streamChanged(2, hint: ChangeHint(tag: "x"), at: .zero) == [])
    #expect(state.streamChanged(2, hint: ChangeHint(tag: "y"), at: .zero) == [])
    let now = Duration.milliseconds(150)
    #expect(
      state.settle(3, with: .success(FetchAnswer(isUnchanged: true)), at: now)
        == [fetch(4, tag: "a", hint: ChangeHint(tag: "y"))])
    #expect(state.settle(4, with: .success(FetchAnswer(isUnchanged: true)), at: now) == [])
    #expect(state.streamChanged(2, hint: nil, at: now + .milliseconds(100)) == [fetch(5, tag: "a")])
  }

  @Test("However fast a stream announces changes, they are requested once per interval, the last one included")
  func spacesRequests() {
    var state = state()
    _ = state.start(tag: nil, at: .zero)
    _ = state.settle(1, with: .success(FetchAnswer(tag: "a", sources: [source])), at: .zero)
    _ = state.streamOpened(2, at: .zero)
    _ = state.settle(3, with: .success(FetchAnswer(isUnchanged: true)), at: .zero)
    var (requests, wake) = (0, (number: 0, at: Duration.zero))
    func follow(_ actions: [State.Action], at now: Duration) {
      for action in actions {
        switch action {
        case .wake(let number, let delay): wake = (number, now + delay)
        case .fetch(let fetch):
          requests += 1
          follow(state.release(fetch.number, at: now), at: now)
          let answer = FetchAnswer(isUnchanged: true)
          follow(state.settle(fetch.number, with: .success(answer), at: now) ?? [], at: now)
        default: Issue.record("\(action)")
        }
      }
    }
    for millisecond in 1...5_000 {
      let now = Duration.milliseconds(millisecond)
      follow(state.streamChanged(2, hint: ChangeHint(tag: "\(millisecond)"), at: now), at: now)
      if now == wake.at { follow(state.wakeUp(wake.number, at: now), at: now) }
    }
    #expect(requests == 50)
    #expect(state.fetch == nil && state.wake == nil && state.hint == nil)
  }

  @Test("Changes of attributes do not starve a request: it ends, and the next one is for the newest, without its tag")
  func finishesRequests() {
    func ann(_ plan: Int) -> EvaluationContext {
      EvaluationContext(user: FlagUser(id: "ann"), attributes: ["plan": .int(Int128(plan))])
    }
    var state = State(FollowerSchedule(polling: .seconds(30)), for: ann(0)) { 0.5 }
    _ = state.start(tag: nil, at: .zero)
    for plan in 1...100 { #expect(state.setContext(ann(plan), isSameUser: true, tag: nil, at: .zero) == []) }
    #expect(state.isFetchOutdated)
    let newest = State.Action.fetch(Fetch(number: 2, context: ann(100), tag: nil, hint: nil))
    #expect(state.settle(1, with: .success(FetchAnswer(tag: "old", sources: [source])), at: .zero) == [newest])
    #expect(!state.isFetchOutdated && state.tag == nil)
    #expect(state.settle(2, with: .success(FetchAnswer(tag: "new")), at: .zero) == [.wake(3, after: .seconds(30))])
    #expect(state.tag == "new")
  }

  @Test("In an outage, changes of attributes do not cut the wait short; another user does")
  func waitsWithAttributes() {
    var state = state()
    _ = state.start(tag: nil, at: .zero)
    _ = state.settle(1, with: .failure(failure(.other)), at: .zero)
    let attributes = EvaluationContext(attributes: ["plan": "free"])
    #expect(state.setContext(attributes, isSameUser: true, tag: nil, at: .zero) == [])
    let request = Fetch(number: 3, context: ann, tag: nil, hint: nil)
    #expect(state.setContext(ann, tag: nil, at: .zero) == [.cancelWake(2), .fetch(request)])
  }

  @Test("A stream that says nothing for too long is opened anew, after everything was asked for without conditions")
  func reopensSilentStream() {
    var state = state(FollowerSchedule(polling: nil))
    _ = state.start(tag: nil, at: .zero)
    _ = state.settle(1, with: .success(FetchAnswer(tag: "a", sources: [source])), at: .zero)
    _ = state.streamOpened(2, at: .zero)
    _ = state.settle(3, with: .success(FetchAnswer(isUnchanged: true)), at: .zero)
    #expect(state.streamEnded(2, StreamFailure(kind: .silent), at: .seconds(120)) == [fetch(4)])
    let answer = FetchAnswer(tag: "a", sources: [source])
    #expect(state.settle(4, with: .success(answer), at: .seconds(120)) == [.openStream(5, source)])
  }

  @Test("A stream that ends is opened again after a wait that grows, and polling bridges the time")
  func reopensStream() {
    var state = state()
    _ = state.start(tag: nil, at: .zero)
    _ = state.settle(1, with: .success(FetchAnswer(tag: "a", sources: [source])), at: .zero)
    var (stream, now) = (2, Duration.zero)
    for seconds in [0.5, 1, 2, 4, 8, 16] {
      #expect(state.streamEnded(stream, StreamFailure(), at: now) == [.wake(stream + 1, after: .seconds(seconds))])
      now += .seconds(seconds)
      #expect(state.wakeUp(stream + 1, at: now) == [fetch(stream + 2, tag: "a")])
      #expect(state.release(stream + 2, at: now) == [])
      let actions = state.settle(stream + 2, with: .success(FetchAnswer(isUnchanged: true)), at: now)
      #expect(actions == [.openStream(stream + 3, source)])
      stream += 3
    }
    let refused = StreamFailure(kind: .failed(.refused))
    #expect(state.streamEnded(stream, refused, at: now) == [.wake(stream + 1, after: .seconds(30))])
  }

  @Test("Where addresses of streams expire, the request before the next attempt has no tag, so that it brings new ones")
  func renewsSources() {
    var state = state(FollowerSchedule(polling: nil, sourcesExpire: true))
    _ = state.start(tag: nil, at: .zero)
    _ = state.settle(1, with: .success(FetchAnswer(tag: "a", sources: [source])), at: .zero)
    #expect(state.streamEnded(2, StreamFailure(), at: .zero) == [.wake(3, after: .milliseconds(500))])
    #expect(state.wakeUp(3, at: .milliseconds(500)) == [fetch(4)])
  }

  @Test("Changes of attributes leave streams open, unless the answer has others, which take their place at once")
  func keepsStreams() {
    func attributes(_ plan: FlagValue) -> EvaluationContext { EvaluationContext(attributes: ["plan": plan]) }
    func fetch(_ number: Int, _ plan: FlagValue) -> State.Action {
      .fetch(Fetch(number: number, context: attributes(plan), tag: nil, hint: nil))
    }
    var state = state(FollowerSchedule(polling: nil, sourcesExpire: true))
    _ = state.start(tag: nil, at: .zero)
    let answer = FetchAnswer(tag: "a", sources: [source])
    #expect(state.settle(1, with: .success(answer), at: .zero) == [.openStream(2, source)])
    #expect(state.setContext(attributes(1), isSameUser: true, tag: nil, at: .zero) == [fetch(3, 1)])
    #expect(state.settle(3, with: .success(answer), at: .zero) == [])
    #expect(state.setContext(attributes(2), isSameUser: true, tag: nil, at: .zero) == [fetch(4, 2)])
    #expect(state.streamChanged(2, hint: nil, at: .zero) == [])
    let other = EventSource(url: Self.address("other"))
    #expect(
      state.settle(4, with: .success(FetchAnswer(sources: [other])), at: .seconds(1)) == [.closeStream(2), fetch(5, 2)])
    #expect(
      state.settle(5, with: .success(FetchAnswer(sources: [other])), at: .seconds(1)) == [.openStream(6, other)])
    #expect(state.setContext(ann, tag: nil, at: .seconds(1)).first == .closeStream(6))
  }

  @Test("An answer that is unchanged since the last start opens the streams that are known beforehand")
  func opensKnownStreams() {
    var state = State(FollowerSchedule(polling: .seconds(30)), for: nobody, sources: [source]) { 0.5 }
    #expect(state.start(tag: "kept", at: .zero) == [fetch(1, tag: "kept")])
    #expect(
      state.settle(1, with: .success(FetchAnswer(isUnchanged: true)), at: .zero) == [.openStream(2, source)])
  }

  @Test(
    "The first request for a context has no tag if only a whole answer has the addresses of streams",
    arguments: [(true, true, nil), (true, false, "kept"), (false, true, "kept")] as [(Bool, Bool, String?)])
  func asksForSources(isStreaming: Bool, sourcesExpire: Bool, tag: String?) {
    let schedule = FollowerSchedule(isStreaming: isStreaming, sourcesExpire: sourcesExpire)
    var state = state(schedule)
    #expect(state.start(tag: "kept", at: .zero) == [fetch(1, tag: tag)])
    _ = state.settle(1, with: .success(FetchAnswer(tag: "kept")), at: .zero)
    let request = Fetch(number: 2, context: ann, tag: tag, hint: nil)
    #expect(state.setContext(ann, tag: "kept", at: .zero) == [.fetch(request)])
  }

  @Test("A server that ends a stream says how long to stay away; clients come back over a third of that")
  func heedsReconnectionTime() {
    var state = state()
    _ = state.start(tag: nil, at: .zero)
    _ = state.settle(1, with: .success(FetchAnswer(sources: [source])), at: .zero)
    let end = StreamFailure(reconnectionTime: .seconds(18))
    #expect(state.streamEnded(2, end, at: .zero) == [.wake(3, after: .seconds(21))])
  }

  @Test("A stream that the source declines is opened again only for another user, or when the app comes back")
  func heedsDeclinedStream() {
    var state = state()
    _ = state.start(tag: nil, at: .zero)
    _ = state.settle(1, with: .success(FetchAnswer(tag: "a", sources: [source])), at: .zero)
    let declined = StreamFailure(kind: .declined, error: FlagError(.general, "no stream"))
    #expect(state.streamEnded(2, declined, at: .zero) == [.wake(3, after: .seconds(30))])
    #expect(state.updates == .polling(declined.error))
    #expect(state.wakeUp(3, at: .seconds(30)) == [fetch(4, tag: "a")])
    // Neither an answer nor one that names the stream once more opens it.
    #expect(
      state.settle(4, with: .success(FetchAnswer(tag: "b", sources: [source])), at: .seconds(30))
        == [.wake(5, after: .seconds(30))])
    #expect(state.updates == .polling(declined.error))
    #expect(state.becomeActive(at: .seconds(40)) == [.cancelWake(5), fetch(6, tag: "b")])
    #expect(
      state.settle(6, with: .success(FetchAnswer(isUnchanged: true)), at: .seconds(40)) == [.openStream(7, source)])
    _ = state.streamEnded(7, declined, at: .seconds(40))
    let request = Fetch(number: 9, context: ann, tag: nil, hint: nil)
    #expect(state.setContext(ann, tag: nil, at: .seconds(50)) == [.cancelWake(8), .fetch(request)])
    #expect(
      state.settle(9, with: .success(FetchAnswer(sources: [source])), at: .seconds(50)) == [.openStream(10, source)])
  }

  @Test("Of several streams, the end of one ends all, and all come back together")
  func keepsStreamsTogether() {
    let other = EventSource(url: Self.address("definitions"))
    var state = state()
    _ = state.start(tag: nil, at: .zero)
    let answer = FetchAnswer(tag: "a", sources: [source, other])
    #expect(
      state.settle(1, with: .success(answer), at: .zero) == [.openStream(2, source), .openStream(3, other)])
    #expect(state.streamOpened(2, at: .zero) == [])
    #expect(state.streamOpened(3, at: .zero) == [fetch(4, tag: "a")])
    #expect(state.streamEnded(3, StreamFailure(), at: .zero) == [.closeStream(2)])
    #expect(state.streamChanged(2, hint: nil, at: .zero) == [])
  }

  @Test("In an outage, events do not cut the wait short; the app does, unless the service wants to be left alone")
  func sparesService() {
    var state = state()
    _ = state.start(tag: nil, at: .zero)
    _ = state.settle(1, with: .success(FetchAnswer(tag: "a", sources: [source])), at: .zero)
    _ = state.streamOpened(2, at: .zero)
    #expect(state.settle(3, with: .failure(failure(.other)), at: .zero) == [.wake(4, after: .milliseconds(500))])
    #expect(state.streamChanged(2, hint: nil, at: .zero) == [])
    #expect(state.becomeActive(at: .zero) == [.cancelWake(4), fetch(5, tag: "a")])
    _ = state.settle(5, with: .failure(failure(.busy(.seconds(60)))), at: .zero)
    #expect(state.becomeActive(at: .seconds(59)) == [])
    #expect(throws: FlagError(.general, "rate limited for 2 s")) {
      try state.refresh(at: .seconds(59)).get()
    }
    #expect(state.becomeActive(at: .seconds(60)) == [.cancelWake(6), fetch(7, tag: "a")])
  }

  @Test("An absurd delay of a service is cut to minutes, and an explicit refresh does not wait for it")
  func cutsDelays() throws {
    var state = state()
    _ = state.start(tag: nil, at: .zero)
    let busy = failure(.busy(.seconds(99_999_999_999)))
    #expect(state.settle(1, with: .failure(busy), at: .zero) == [.wake(2, after: .seconds(1_050))])
    #expect(try state.refresh(at: .seconds(1)).get().actions == [.cancelWake(2), fetch(4)])
  }

  @Test("Three hundred clients that a service asks to wait come back over a third of the wait", arguments: [3.0, 600])
  func spreadsClients(seconds: Double) {
    var random = SeededGenerator(seed: 7)
    let delays = (0..<300).map { _ in
      FollowerSchedule().delay(
        after: .busy(.seconds(seconds)), failures: 1, randomness: .random(in: 0..<1, using: &random))
    }.sorted()
    #expect(delays[0] >= .seconds(seconds) && delays[299] <= .seconds(seconds * 4 / 3))
    #expect(delays[299] - delays[0] > .seconds(seconds * 0.3))
    let middle = delays.count { $0 < .seconds(seconds * 7 / 6) }
    #expect((120...180).contains(middle))
  }

  @Test("A refresh waits for a request that began later, and throws every failure")
  func refreshes() throws {
    var state = state()
    _ = state.start(tag: "a", at: .zero)
    #expect(state.join() == 2)
    let refresh = try state.refresh(at: .zero).get()
    #expect(refresh.waiter == 3 && refresh.actions == [])
    #expect(state.settle(1, with: .success(FetchAnswer(tag: "b")), at: .zero) == [.resume(2, nil), fetch(4)])
    let error = FlagError(.general, "down")
    #expect(
      state.settle(4, with: .failure(failure(.other)), at: .zero)
        == [.wake(5, after: .milliseconds(500)), .resume(3, error)])
  }

  @Test("In the background there are no streams, polls and retries; in the foreground there are again, at once")
  func restsInBackground() throws {
    var state = state()
    _ = state.start(tag: nil, at: .zero)
    _ = state.settle(1, with: .success(FetchAnswer(tag: "a", sources: [source])), at: .zero)
    _ = state.streamOpened(2, at: .zero)
    _ = state.settle(3, with: .success(FetchAnswer(isUnchanged: true)), at: .zero)
    for number in [1, 3] { #expect(state.release(number, at: .zero) == []) }
    #expect(state.streamChanged(2, hint: nil, at: .zero) == [.wake(4, after: .milliseconds(100))])
    #expect(state.updates == .streaming)
    #expect(state.enterBackground() == [.closeStream(2), .cancelWake(4)])
    #expect(state.enterBackground() == [] && state.updates == .streaming)
    #expect(state.streamEnded(2, StreamFailure(), at: .zero) == [] && state.wakeUp(4, at: .zero) == [])
    #expect(state.outdate(hint: nil, at: .seconds(1)) == [])
    let waiter = try state.refresh(at: .seconds(2)).get()
    #expect(waiter.actions == [fetch(6)])
    let error = FlagError(.general, "down")
    #expect(state.settle(6, with: .failure(failure(.other)), at: .seconds(2)) == [.resume(5, error)])
    let second = State.Action.fetch(Fetch(number: 7, context: ann, tag: nil, hint: nil))
    #expect(state.setContext(ann, isSameUser: true, tag: nil, at: .seconds(3)) == [second])
    let answer = FetchAnswer(tag: "b", sources: [source])
    #expect(state.settle(7, with: .success(answer), at: .seconds(3)) == [])
    let third = State.Action.fetch(Fetch(number: 8, context: ann, tag: "b", hint: nil))
    #expect(state.becomeActive(at: .seconds(600)) == [third])
    #expect(state.updates == .polling(nil))
    #expect(
      state.settle(8, with: .success(FetchAnswer(isUnchanged: true)), at: .seconds(600)) == [.openStream(9, source)])
  }

  @Test("A request that is under way ends in the background, and nothing follows it; a request that the service delays")
  func endsRequestInBackground() {
    var state = state()
    _ = state.start(tag: nil, at: .zero)
    #expect(state.enterBackground() == [])
    #expect(state.settle(1, with: .failure(failure(.busy(.seconds(60)))), at: .zero) == [])
    #expect(state.becomeActive(at: .seconds(30)) == [.wake(2, after: .seconds(35))])
    #expect(state.wakeUp(2, at: .seconds(65)) == [fetch(3)])
  }

  @Test("No course of events leaves it without a request, a wait or a stream, or has two of one", arguments: 0..<20)
  func neverStops(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var state = State(FollowerSchedule(polling: .seconds(30), sourcesExpire: seed % 2 == 0), for: nobody) { 0.5 }
    var now = Duration.zero
    var running: Set<Int> = []
    func follow(_ actions: [State.Action]) {
      for action in actions {
        switch action {
        case .fetch(let fetch): running.insert(fetch.number)
        case .cancelFetch(let number):
          running.remove(number)
          #expect(state.release(number, at: now) == [])
        default: break
        }
      }
    }
    follow(state.start(tag: nil, at: now))
    for step in 0..<500 {
      now += .milliseconds(Int.random(in: 0...60_000, using: &random))
      switch Int.random(in: 0..<9, using: &random) {
      case 8: follow(state.enterBackground())
      case 0:
        let context = Bool.random(using: &random) ? ann : nobody
        follow(state.setContext(context, isSameUser: step % 2 == 0, tag: nil, at: now))
      case 1: follow(state.becomeActive(at: now))
      case 2: if let wake = state.wake { follow(state.wakeUp(wake, at: now)) }
      case 3:
        if let stream = state.streams.keys.randomElement(using: &random) {
          let kinds: [StreamFailure.Kind] = [.silent, .failed(.other), .declined]
          follow(state.streamEnded(stream, StreamFailure(kind: kinds[step % 3]), at: now))
        }
      case 4:
        if let stream = state.streams.keys.randomElement(using: &random) {
          follow(state.streamOpened(stream, at: now))
        }
      case 5:
        if let stream = state.streams.keys.randomElement(using: &random) {
          follow(state.streamChanged(stream, hint: nil, at: now))
        }
      default:
        guard let fetch = state.fetch else { break }
        running.remove(fetch)
        #expect(state.release(fetch, at: now) == [])
        let failure = FetchFailure(error: FlagError(.general, "down"), kind: step % 5 == 0 ? .refused : .other)
        let answer = FetchAnswer(isUnchanged: step % 2 == 0, tag: "t", sources: [source])
        let outcome: Result<FetchAnswer, FetchFailure> =
          Bool.random(using: &random) ? .success(answer) : .failure(failure)
        follow(state.settle(fetch, with: outcome, at: now) ?? [])
      }
      let isWaiting = state.wake != nil || !state.streams.isEmpty
      #expect(state.background == nil ? state.fetch != nil || isWaiting : !isWaiting, "step \(step)")
      #expect(running == (state.fetch.map { [$0] } ?? []), "step \(step)")
      #expect(state.fetch == nil || state.wake == nil, "step \(step)")
    }
  }
}
