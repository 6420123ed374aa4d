import FlagDomain
@testable import FlagServices
import FlagTesting
import Foundation
import TestSupport
import Testing

@Suite("Cached answers of a service", .timeLimit(.minutes(15)))
struct RemoteCacheTests {
  private let folder = CacheFolder()

  @Test("At the second start the last answers are there at the first read, as cached")
  func servesLastAnswers() async throws {
    let answer = FlagAnswer("blue", variant: "b", reason: .split, metadata: ["experiment": true, "version": "7"])
    let service = ScriptedService()
    let first = RemoteProvider(service, cache: AnswerCache(in: folder.url), clock: ManualClock())
    await service.nextRequest().answer(
      with: RemoteAnswers(["color": answer, "off": FlagAnswer(nil, reason: .disabled)]))
    try await first.waitUntilReady()
    await first.waitForWrites()

    let second = RemoteProvider(ScriptedService(), cache: AnswerCache(in: folder.url), clock: ManualClock())
    let snapshot = second.snapshot()
    let cached = try #require(try snapshot.answer(for: "color", in: EvaluationContext()))
    #expect(cached.value == "blue" && cached.variant == "b" && cached.reason == .cached && cached.isExperiment)
    #expect(cached.metadata.filter { $0.key != "fetchedAt" } == answer.metadata)
    #expect(try snapshot.answer(for: "off", in: EvaluationContext())?.value == nil)
    #expect(try snapshot.answer(for: "unknown", in: EvaluationContext()) == nil)
    let other = RemoteProvider(ScriptedService(), clock: ManualClock())
    #expect(throws: FlagError.self) { try other.snapshot().answer(for: "color", in: EvaluationContext()) }
  }

  @Test("Another user's answers are not served, and an answer that comes later replaces the cached one")
  func separatesUsers() async throws {
    let service = ScriptedService()
    let first = RemoteProvider(service, cache: AnswerCache(in: folder.url), clock: ManualClock())
    await service.nextRequest().answer(with: ["color": "blue"])
    try await first.waitUntilReady()
    await first.waitForWrites()

    let later = ScriptedService()
    let second = RemoteProvider(later, cache: AnswerCache(in: folder.url), clock: ManualClock())
    #expect(second.snapshot().value(of: "color") == "blue")
    await later.nextRequest().answer(with: ["color": "red"])
    await second.wait { $0.snapshot().value(of: "color") == "red" }
    second.setUser(FlagUser(id: "ann"))
    #expect(second.snapshot().value(of: "color") == nil)
  }

  @Test("Every field of an answer is cached, and values that are all texts are read again as JSON")
  func keepsEveryField() throws {
    let answer = FlagAnswer(
      "[1]", variant: "v", reason: .split, metadata: ["a": 1], isTransient: true, isMissingTargetingKey: true,
      isExperiment: true)
    expectEveryField(of: answer, differsFrom: FlagAnswer(nil))
    let texts = RemoteAnswers(["f": answer], textReader: { text throws(FlagError) in .string("other " + text) })
    let read = try RemoteAnswers(json: #require(try texts.json()))
    expectSameFields(try #require(read.listed?["f"]), answer)
    #expect(try read.textReader?("[1]") == [1])
    #expect(try RemoteAnswers(json: #require(try RemoteAnswers(["f": answer]).json())).textReader == nil)
    #expect(throws: FlagError.self) { try RemoteAnswers(json: Array("[]".utf8)) }
  }

  @Test("Answers that the service pushes are cached, the last ones of many, and none for another user")
  func cachesPushes() async throws {
    let service = ScriptedService()
    let first = RemoteProvider(service, cache: AnswerCache(in: folder.url), clock: ManualClock())
    await service.nextRequest().answer(with: ["color": "blue"])
    try await first.waitUntilReady()
    for number in 1...100 {
      service.push(.answers(RemoteAnswers(["color": FlagAnswer(.int(Int128(number)))]), for: nil))
    }
    service.push(.answers(RemoteAnswers(["color": FlagAnswer("red")]), for: FlagUser(id: "ann")))
    await first.waitForWrites()

    let second = RemoteProvider(ScriptedService(), cache: AnswerCache(in: folder.url), clock: ManualClock())
    #expect(second.snapshot().value(of: "color") == 100)
    #expect(try folder.files.count { $0.pathExtension == "cache" } == 1)
  }

  @Test("An answer that cannot be cached is reported once, and the end of it, too")
  func reportsFailures() async throws {
    let service = ScriptedService()
    let errors = Locked<[String]>([])
    let provider = RemoteProvider(
      service, cache: AnswerCache(in: folder.url), onCacheError: { error in errors.withLock { $0.append("\(error)") } },
      clock: ManualClock())
    await service.nextRequest().answer(with: RemoteAnswers(["size": FlagAnswer(.double(.infinity))]))
    try await provider.waitUntilReady()
    for size in [FlagValue.double(.infinity), 2, 3] {
      service.push(.answers(RemoteAnswers(["size": FlagAnswer(size)]), for: nil))
      await provider.waitForWrites()
    }
    let texts = errors.withLock { $0 }
    #expect(texts.count == 2)
    #expect(texts.first?.contains("inf") == true, "\(texts)")
    #expect(texts.last?.contains("answers are cached again") == true, "\(texts)")
    let next = RemoteProvider(ScriptedService(), cache: AnswerCache(in: folder.url), clock: ManualClock())
    #expect(next.snapshot().value(of: "size") == 3)
  }
}
