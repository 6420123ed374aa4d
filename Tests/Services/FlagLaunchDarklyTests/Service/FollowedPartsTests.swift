import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagJSON
import FlagServices
import Testing

@testable import FlagLaunchDarkly

@Suite("The parts that a stream keeps up to date")
struct FollowedPartsTests {
  /// Events of a stream, and the values of the flags after them; nil for a stream whose document is unknown.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let events: [ServerSentEvent]
    let values: [String: FlagValue]?

    init(_ name: String, _ events: [ServerSentEvent], _ values: [String: FlagValue]?) {
      (testDescription, self.events, self.values) = (name, events, values)
    }
  }

  @Test(
    "The latest version of each part counts",
    arguments: [
      Case("nothing yet", [], nil),
      Case("put", [.put(["a": (1, 1)])], ["a": 1]),
      Case("patch", [.put(["a": (1, 1)]), .patch("a", 2, 20)], ["a": 20]),
      Case("patch of a new flag", [.put(["a": (1, 1)]), .patch("b", 1, 20)], ["a": 1, "b": 20]),
      Case("late patch", [.put(["a": (3, 1)]), .patch("a", 2, 20), .patch("a", 3, 30)], ["a": 1]),
      Case("patches out of order", [.put(["a": (1, 1)]), .patch("a", 3, 30), .patch("a", 2, 20)], ["a": 30]),
      Case("delete", [.put(["a": (1, 1), "b": (1, 2)]), .delete("a", 2)], ["b": 2]),
      Case("late delete", [.put(["a": (3, 1)]), .delete("a", 2)], ["a": 1]),
      Case("patch that is older than a delete", [.put([:]), .delete("a", 5), .patch("a", 4, 40)], [:]),
      Case("patch after a delete", [.put([:]), .delete("a", 5), .patch("a", 6, 60)], ["a": 60]),
      Case("delete before its put", [.delete("a", 5), .put(["a": (4, 1), "b": (1, 2)])], ["b": 2]),
      Case("old delete before a put", [.delete("a", 3), .put(["a": (4, 1)])], ["a": 1]),
      Case("patch before its put", [.patch("a", 5, 50), .put(["a": (4, 1)])], ["a": 50]),
      Case("second put", [.put(["a": (9, 1)]), .put(["b": (1, 2)])], ["b": 2]),
      Case("event of another type", [.put(["a": (1, 1)]), ServerSentEvent(type: "new", data: "x")], ["a": 1]),
      Case(
        "path of another kind",
        [
          .put(["a": (1, 1)]), ServerSentEvent(type: "patch", data: #"{"path": "/metrics/a", "data": {"version": 9}}"#),
        ],
        ["a": 1]),
      Case("key with a slash", [.put([:]), .patch("a/b", 1, 1)], ["a/b": 1]),
      Case("patch that is not JSON", [.put(["a": (1, 1)]), ServerSentEvent(type: "patch", data: "{\"path")], nil),
      Case(
        "patch without a version", [.put([:]), ServerSentEvent(type: "patch", data: #"{"path": "/flags/a"}"#)], nil),
      Case("put without data", [ServerSentEvent(type: "put", data: #"{"path": "/"}"#)], nil),
      Case(
        "put after one that is broken", [ServerSentEvent(type: "put", data: "["), .put(["a": (1, 1)])], ["a": 1]),
    ])
  func takesLatest(entry: Case) throws {
    let parts = FollowedParts(sections: ["flags", "segments"])
    let stream = parts.begin("address")
    for event in entry.events { _ = parts.apply(event, of: stream) }
    let text = parts.text(from: "address")
    try #require((text == nil) == (entry.values == nil))
    guard let text, let values = entry.values else { return }
    let document = try LaunchDarklyFormat().read(text, of: nil)
    #expect(Set(document.keys) == Set(values.keys))
    for (key, value) in values { #expect(try document.evaluate(key, in: EvaluationContext(), at: 0)?.value == value) }
  }

  @Test("A stream begins with its first document; later events announce changes, and those without news none")
  func announces() {
    let parts = FollowedParts(sections: ["flags", "segments"])
    let stream = parts.begin("address")
    let changed = StreamEvent.changed(ChangeHint())
    let events: [ServerSentEvent] = [
      .patch("a", 1, 1), .put(["a": (1, 1)]), .patch("a", 1, 2), .patch("a", 2, 2), .put([:]),
      ServerSentEvent(type: "patch", data: "{"), .put([:]),
    ]
    #expect(events.map { parts.apply($0, of: stream) } == [nil, .opened, nil, changed, changed, changed, changed])
  }

  @Test("Segments are parts, too")
  func followsSegments() throws {
    let parts = FollowedParts(sections: ["flags", "segments"])
    let stream = parts.begin("address")
    _ = parts.apply(.put([:]), of: stream)
    _ = parts.apply(
      ServerSentEvent(type: "patch", data: #"{"path": "/segments/s", "data": {"version": 7}}"#), of: stream)
    #expect(
      try FlagValue(json: try #require(parts.text(from: "address"))) == [
        "flags": [:], "segments": ["s": ["version": 7]],
      ])
  }

  @Test("A stream that another has replaced changes nothing")
  func ignoresOldStreams() {
    let parts = FollowedParts(sections: ["flags", "segments"])
    let old = parts.begin("old")
    let new = parts.begin("new")
    #expect(parts.apply(.put(["a": (1, 1)]), of: old) == nil)
    #expect(parts.text(from: "new") == nil)
    _ = parts.apply(.put(["a": (1, 1)]), of: new)
    parts.forget(old)
    #expect(parts.text(from: "new") != nil && parts.text(from: "old") == nil)
    parts.forget(new)
    #expect(parts.text(from: "new") == nil)
  }

  @Test("Answers for an app are parts by their keys, without sections; a ping asks for all of them again")
  func followsAnswers() throws {
    let parts = FollowedParts(sections: [])
    let stream = parts.begin("address")
    _ = parts.apply(ServerSentEvent(type: "put", data: #"{"a": {"version": 1, "value": 1}}"#), of: stream)
    _ = parts.apply(ServerSentEvent(type: "patch", data: #"{"key": "b", "version": 3, "value": 2}"#), of: stream)
    _ = parts.apply(ServerSentEvent(type: "patch", data: #"{"key": "b", "version": 2, "value": 9}"#), of: stream)
    _ = parts.apply(ServerSentEvent(type: "delete", data: #"{"key": "a", "version": 2}"#), of: stream)
    let answers = try AppAnswers(try #require(parts.text(from: "address")))
    #expect(try answers.answer(for: "a", in: EvaluationContext()) == nil)
    #expect(try answers.answer(for: "b", in: EvaluationContext())?.value == 2)
    #expect(parts.apply(ServerSentEvent(type: "ping", data: "x"), of: stream) == .changed(ChangeHint()))
    #expect(parts.text(from: "address") == nil)
  }
}

extension ServerSentEvent {
  /// An event with flags by their keys, each with a version and the value that everyone gets.
  fileprivate static func put(_ flags: [String: (version: Int, value: Int)]) -> Self {
    let flags = flags.mapValues { FlagValue.flag($0.value, version: $0.version) }
    return Self(type: "put", data: #"{"path": "/", "data": {"flags": \#(FlagValue.object(flags)), "segments": {}}}"#)
  }

  fileprivate static func patch(_ key: String, _ version: Int, _ value: Int) -> Self {
    Self(type: "patch", data: #"{"path": "/flags/\#(key)", "data": \#(FlagValue.flag(value, version: version))}"#)
  }

  fileprivate static func delete(_ key: String, _ version: Int) -> Self {
    Self(type: "delete", data: #"{"path": "/flags/\#(key)", "version": \#(version)}"#)
  }
}

extension FlagValue {
  /// A flag with one variation.
  static func flag(_ value: Int, version: Int = 1) -> FlagValue {
    [
      "version": .int(Int128(version)), "on": true, "variations": [.int(Int128(value))],
      "fallthrough": ["variation": 0],
    ]
  }
}
