import FlagDomain
import FlagEvents
import Testing

@Suite("Reading events")
struct EventReaderTests {
  private static let time = EventTime(microseconds: 1_795_328_365_123_000)

  private static func exposure(_ exposure: TrackedExposure) -> TrackedEvent {
    TrackedEvent(id: "", time: time, content: .exposure(exposure))
  }

  private static func conversion(_ conversion: Conversion) -> TrackedEvent {
    TrackedEvent(id: "B", time: time, content: .conversion(conversion))
  }

  @Test("Each kind is read, with what may be left out and without it")
  func readsKinds() throws {
    let lines = [
      #"{"schema":1,"kind":"exposure","id":"A","time":"2026-11-22T06:19:25.123Z","flag":"f","variant":"blue","#
        + #""unit":"user-1","reason":"SPLIT","version":"3","provider":"p","rate":0.5,"attributes":{"country":"DE"}}"#,
      #"{"kind":"exposure","id":"A","time":"2026-11-22T06:19:25.123Z","flag":"f","value":{"b":[1]},"unit":"u"}"#,
      #"{"kind":"conversion","id":"B","time":"2026-11-22T06:19:25.123Z","name":"purchase","unit":"u","value":12.5}"#,
      #"{"kind":"conversion","id":"B","time":"2026-11-22T06:19:25.123Z","name":"visit","unit":"u"}"#,
      #"{"kind":"loss","id":"C","time":"2026-11-22T06:19:25.123Z","count":17}"#,
      #"{"kind":"loss","count":17,"kept":0.5,"of":2000,"unit":"u"}"#, #"{"kind":"click","where":"here"}"#,
    ]
    var reader = EventReader(.file)
    let events = try lines.map { try reader.read(Array($0.utf8)) }
    #expect(
      events == [
        Self.exposure(TrackedExposure(flag: "f", variant: "blue", unit: "user-1", version: "3", rate: 0.5)),
        Self.exposure(TrackedExposure(flag: "f", variant: nil, value: ["b": [1]], unit: "u")),
        Self.conversion(Conversion(name: "purchase", unit: "u", value: 12.5)),
        Self.conversion(Conversion(name: "visit", unit: "u")),
        TrackedEvent(id: "C", time: EventTime(microseconds: 0), content: .loss(TrackedLoss(count: 17))),
        TrackedEvent(
          id: "", time: EventTime(microseconds: 0),
          content: .loss(TrackedLoss(count: 17, total: 2000, kept: 0.5, unit: "u"))),
        nil,
      ])
    guard case .exposure(let exposure)? = events[1]?.content else { throw FlagError(.general, "expected an exposure") }
    #expect(exposure.label == #"{"b":[1]}"#)
    #expect(reader.unknownKinds == 1 && reader.unknownMembers == 1)
  }

  @Test("Units are read by their names, and a line without names is of a user")
  func readsUnits() throws {
    let time = #""time":"2026-11-22T06:19:25.123Z""#
    var reader = EventReader(.file)
    func read(_ members: String) throws -> TrackedEvent? { try reader.read(Array("{\(time),\(members)}".utf8)) }
    var exposure = TrackedExposure(flag: "f", variant: "blue", unit: "c-1")
    (exposure.unitAttribute, exposure.units) = ("company", ["targetingKey": "ann"])
    #expect(
      try read(
        #""kind":"exposure","flag":"f","variant":"blue","unit":"c-1","unitAttribute":"company","#
          + #""units":{"targetingKey":"ann"}"#) == Self.exposure(exposure))
    let units = ["targetingKey": "ann", "company": "c-1"]
    #expect(
      try read(#""kind":"conversion","id":"B","name":"x","unit":"ann","units":{"company":"c-1","team":null}"#)
        == Self.conversion(Conversion(name: "x", units: units)))
    #expect(
      try read(#""kind":"conversion","id":"B","name":"x","units":{"company":"c-1"}"#)
        == Self.conversion(Conversion(name: "x", units: ["company": "c-1"])))
    for (units, found) in [
      ("7", "7"), (#"{"company":7}"#, #"{"company":7}"#), (#"{"company":""}"#, #"{"company":""}"#),
    ] {
      let error = #expect(throws: FlagError.self) {
        try read(#""kind":"conversion","id":"B","name":"x","units":\#(units)"#)
      }
      #expect(
        error?.message.hasPrefix("units: expected an object of strings") == true
          && error?.message.contains(found) == true)
    }
    #expect(throws: FlagError.self) { try read(#""kind":"conversion","id":"B","name":"x","units":{}"#) }
    #expect(reader.unknownMembers == 0)
  }

  @Test(
    "A line that is no event is an error that says where and what was expected",
    arguments: [
      ("{", "column 2: expected a name in quotation marks, found the end of the document"),
      ("[1]", "column 1: expected an object, found an array"),
      ("{} x", "column 4: expected the end of the document, found \"x\""),
      ("{}", "kind: expected a string that is not empty, found nothing"),
      (#"{"kind": 7}"#, "kind: expected a string that is not empty, found 7"),
      (#"{"kind": "loss", "schema": 2}"#, "schema: expected 1, found 2"),
      (#"{"kind": "loss"}"#, "count: expected a whole number of at least 0, found nothing"),
      (#"{"kind": "loss", "count": -1}"#, "count: expected a whole number of at least 0, found -1"),
      (#"{"kind": "loss", "count": 1, "of": 0.5}"#, "of: expected a whole number of at least 0, found 0.5"),
      (#"{"kind": "loss", "count": 1, "kept": 2}"#, "kept: expected a number from 0 to 1, found 2"),
      (#"{"kind": "exposure", "flag": ""}"#, "flag: expected a string that is not empty, found \"\""),
      (#"{"kind": "exposure", "flag": "f"}"#, "variant: expected a string, found nothing"),
      (
        #"{"kind": "exposure", "flag": "f", "variant": "a", "rate": 0}"#,
        "rate: expected a number above 0 and up to 1, found 0.0"
      ),
      (
        #"{"kind": "exposure", "flag": "f", "variant": "a", "unit": "u", "time": "today"}"#,
        "time: expected one such as 2026-11-22T06:19:25.123Z, found \"today\""
      ),
      (
        #"{"kind": "conversion", "name": "n", "unit": "u", "id": "i", "time": "2026-11-22T06:19:25Z", "value": "1"}"#,
        "value: expected a number, found \"1\""
      ),
    ])
  func refuses(line: String, message: String) {
    var reader = EventReader(.file)
    #expect(throws: FlagError(.parseError, message)) { try reader.read(Array(line.utf8)) }
  }

  @Test(
    "Times are read as RFC 3339 has them, and written in UTC",
    arguments: [
      ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"), ("2026-11-22T06:19:25.123Z", "2026-11-22T06:19:25.123Z"),
      ("2024-02-29T23:59:60Z", "2024-03-01T00:00:00.000Z"), ("1969-12-31t23:59:59.9z", "1969-12-31T23:59:59.900Z"),
      ("2026-11-22T06:19:25.123456789+05:30", "2026-11-22T00:49:25.123Z"),
      ("0000-01-01T00:00:00-00:01", "0000-01-01T00:01:00.000Z"), ("9999-12-31 23:59:59Z", "9999-12-31T23:59:59.000Z"),
      ("2026-02-29T00:00:00Z", nil), ("2026-13-01T00:00:00Z", nil), ("2026-11-22T24:00:00Z", nil),
      ("2026-11-22T06:19:25", nil), ("2026-11-22T06:19:25.Z", nil), ("2026-11-22T06:19:25Z ", nil), ("", nil),
      ("2026-11-22T06:19:25+5:30", nil), ("1900-02-29T00:00:00Z", nil), ("２026-11-22T06:19:25Z", nil),
    ])
  func readsTimes(text: String, time: String?) {
    #expect(EventTime(text).map { "\($0)" } == time)
  }

  @Test("What a queue holds is read as a whole, empty texts as well; a file's events may do without members")
  func readsQueues() throws {
    let line =
      #"{"attributes":{"country":"DE"},"error":"GENERAL","flag":"f","id":"1","kind":"exposure","provider":"","#
      + #""reason":"SPLIT","schema":1,"set":"app","time":"2026-11-22T06:19:25.123Z","unit":"","value":null,"version":""}"#
    var exposure = TrackedExposure(flag: "f", variant: nil, value: .null, unit: "", reason: .split, version: "")
    (exposure.set, exposure.provider, exposure.error) = ("app", "", .general)
    exposure.attributes = ["country": "DE"]
    let event = TrackedEvent(id: "1", time: Self.time, content: .exposure(exposure))
    var reader = EventReader(.queue)
    #expect(try reader.read(Array(line.utf8)) == event && reader.unknownMembers == 0)
    #expect(String(decoding: try event.line(), as: UTF8.self) == line)
    var files = EventReader(.file)
    #expect(throws: FlagError(.parseError, #"unit: expected a string that is not empty, found """#)) {
      try files.read(Array(line.utf8))
    }
  }

  @Test("Days are counted without a gap, over leap years and before 1970")
  func countsDays() throws {
    var day = try #require(EventTime("1899-12-31T23:00:00Z")).day
    for date in [
      "1900-01-01", "1900-02-28", "1900-03-01", "1969-12-31", "1970-01-01", "2000-02-29", "2000-03-01", "2100-03-01",
    ] {
      let next = try #require(EventTime("\(date)T12:00:00Z")).day
      #expect(next > day && "\(CalendarDay(daysSince1970: Int64(next)))" == date)
      day = next
    }
    #expect(EventTime("1970-01-01T00:00:00Z")?.day == 0 && EventTime("1969-12-31T23:59:59.999999Z")?.day == -1)
    #expect(EventTime("2000-03-01T00:00:00Z")?.day == 11_017)
  }
}
