import FlagDomain
import FlagEvents
import Testing

@testable import FlagTracking

@Suite("Tracked events", .timeLimit(.minutes(15)))
struct TrackedEventTests {
  @Test("An event is a line of JSON of a known form, and is read back from it", arguments: lines)
  func writesLines(event: TrackedEvent, line: String) throws {
    #expect(String(decoding: try event.line(), as: UTF8.self) == line)
    #expect(try TrackedEvent.reading(line) == event)
  }

  private static let lines: [(TrackedEvent, String)] = [
    (
      TrackedEvent(
        id: "1", time: EventTime(milliseconds: 1_795_328_365_123),
        content: .exposure(
          TrackedExposure(
            .of("ann", attributes: ["country": "DE", "age": 42]), attributes: ["country", "absent"], rate: 0.5))),
      #"{"attributes":{"country":"DE"},"flag":"button","id":"1","kind":"exposure","provider":"house","rate":0.5,"#
        + #""reason":"SPLIT","schema":1,"time":"2026-11-22T06:19:25.123Z","unit":"ann","variant":"a","version":"7"}"#
    ),
    (
      TrackedEvent(
        id: "2", time: EventTime(milliseconds: 5),
        content: .exposure(
          TrackedExposure(.of("ann", variant: nil, value: [1, "two"], version: nil), attributes: [], rate: 1))),
      #"{"flag":"button","id":"2","kind":"exposure","provider":"house","reason":"SPLIT","schema":1,"#
        + #""time":"1970-01-01T00:00:00.005Z","unit":"ann","value":[1,"two"]}"#
    ),
    (
      TrackedEvent(
        id: "3", time: EventTime(milliseconds: 0),
        content: .conversion(Conversion(name: "purchase", unit: "ann", value: 12.5, attributes: ["currency": "EUR"]))),
      #"{"attributes":{"currency":"EUR"},"id":"3","kind":"conversion","name":"purchase","schema":1,"#
        + #""time":"1970-01-01T00:00:00.000Z","unit":"ann","value":12.5}"#
    ),
    (
      TrackedEvent(
        id: "7", time: EventTime(milliseconds: 0),
        content: .exposure(
          TrackedExposure(
            Exposure(
              flag: "button", unit: "c-1", unitAttribute: "company",
              resolution: FlagResolution("green", variant: "a", reason: .static),
              context: EvaluationContext(user: FlagUser(id: "ann", attributes: ["company": "c-1"])), time: 0),
            attributes: [], rate: 1))),
      #"{"flag":"button","id":"7","kind":"exposure","reason":"STATIC","schema":1,"time":"1970-01-01T00:00:00.000Z","#
        + #""unit":"c-1","unitAttribute":"company","units":{"targetingKey":"ann"},"variant":"a"}"#
    ),
    (
      TrackedEvent(
        id: "8", time: EventTime(milliseconds: 0),
        content: .conversion(Conversion(name: "buy", units: ["targetingKey": "ann", "company": "c-1"]))),
      #"{"id":"8","kind":"conversion","name":"buy","schema":1,"time":"1970-01-01T00:00:00.000Z","#
        + #""unit":"ann","units":{"company":"c-1"}}"#
    ),
    (
      TrackedEvent(
        id: "9", time: EventTime(milliseconds: 0),
        content: .conversion(Conversion(name: "buy", units: ["company": "c-1"]))),
      #"{"id":"9","kind":"conversion","name":"buy","schema":1,"time":"1970-01-01T00:00:00.000Z","#
        + #""units":{"company":"c-1"}}"#
    ),
    (
      TrackedEvent(id: "4", time: EventTime(milliseconds: 253_402_300_799_999), content: .loss(TrackedLoss(count: 17))),
      #"{"count":17,"id":"4","kind":"loss","schema":1,"time":"9999-12-31T23:59:59.999Z"}"#
    ),
    (
      TrackedEvent(
        id: "5", time: EventTime(milliseconds: 0), content: .loss(TrackedLoss(count: 3, total: 40, kept: 0.25))),
      #"{"count":3,"id":"5","kept":0.25,"kind":"loss","of":40,"schema":1,"time":"1970-01-01T00:00:00.000Z"}"#
    ),
    (
      TrackedEvent(
        id: "6", time: EventTime(milliseconds: 0), content: .loss(TrackedLoss(count: 3, total: 4, unit: "ann"))),
      #"{"count":3,"id":"6","kind":"loss","of":4,"schema":1,"time":"1970-01-01T00:00:00.000Z","unit":"ann"}"#
    ),
  ]

  @Test(
    "What is no event is an error that says what was expected",
    arguments: [
      ("", "column 1: expected a value"), ("[]", "column 1: expected an object"),
      ("{}", "schema: expected 1, found nothing"), (#"{"schema":2}"#, "schema: expected 1, found 2"),
      (#"{"schema":1,"kind":"loss","count":1,"time":"1970-01-01T00:00:00.000Z"}"#, "id: expected a string"),
      (#"{"schema":1,"id":"1","kind":"loss","count":1,"time":"yesterday"}"#, "time: expected one such as"),
      (
        #"{"schema":1,"id":"1","kind":"loss","count":1,"time":"1970-13-41T00:00:00.000Z"}"#,
        "time: expected one such as"
      ),
      (#"{"schema":1,"id":"1","kind":"x","time":"1970-01-01T00:00:00.000Z"}"#, "kind: expected an exposure"),
      (#"{"schema":1,"id":"1","kind":"loss","count":1e99,"time":"1970-01-01T00:00:00.000Z"}"#, "count: expected"),
    ])
  func refuses(line: String, message: String) {
    let error = #expect(throws: FlagError.self) { try TrackedEvent.reading(line) }
    #expect(error?.message.hasPrefix(message) == true, "\(String(describing: error))")
  }

  @Test("A unit is sampled always or never, and about as many as the rate says")
  func samples() {
    func samples(_ unit: String, _ rate: Double) -> Bool {
      var options = TrackingOptions()
      options.samplingRate = rate
      return options.samples(unit)
    }
    let chosen = (0..<4000).filter { samples("user-\($0)", 0.25) }
    #expect((900...1100).contains(chosen.count))
    #expect(chosen.allSatisfy { samples("user-\($0)", 0.25) && samples("user-\($0)", 0.5) })
    #expect([0, .nan, -1].allSatisfy { !samples("ann", $0) })
    #expect([1, 7].allSatisfy { samples("ann", $0) })
  }
}

@Suite("The memory of exposures", .timeLimit(.minutes(15)))
struct ExposureMemoryTests {
  @Test("An exposure counts once for flag, unit, variant and version, until its window ends")
  func countsOnce() {
    var memory = ExposureMemory(capacity: 10, window: 1000)
    let steps: [(Exposure, Bool)] = [
      (.of("ann", time: 0), true), (.of("ann", time: 999), false), (.of("ben", time: 999), true),
      (.of("ann", flag: "other", time: 999), true), (.of("ann", time: 1000), true), (.of("ann", time: 500), false),
      (.of("ann", variant: "b", time: 1100), true), (.of("ann", variant: "a", time: 1100), true),
      (.of("ann", version: "8", time: 1100), true), (.of("ann", variant: nil, value: "a", version: "8"), true),
    ]
    let counts = steps.map { memory.insert($0.0) }
    #expect(counts == steps.map { $0.1 })
  }

  @Test("The exposure that was used longest ago is forgotten first")
  func forgets() {
    var memory = ExposureMemory(capacity: 2, window: 1000)
    let steps = [("a", true), ("b", true), ("a", false), ("c", true), ("a", false), ("b", true), ("c", true)]
    let counts = steps.map { memory.insert(.of($0.0)) }
    #expect(counts == steps.map { $0.1 })
  }

  @Test("Units are told apart by their code points")
  func comparesCodePoints() {
    var memory = ExposureMemory(capacity: 2, window: 1000)
    let counts = ["\u{E9}", "e\u{301}"].map { memory.insert(.of($0)) }
    #expect(counts == [true, true])
  }
}
