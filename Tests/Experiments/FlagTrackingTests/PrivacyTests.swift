import FlagDomain
import FlagEvents
import FlagSupport
import FlagTesting
import Foundation
import TestSupport
import Testing

@testable import FlagTracking

@Suite("Privacy", .timeLimit(.minutes(15)))
struct PrivacyTests {
  private static let key = Array("a key of the experiment's own".utf8)
  private let folder: TemporaryFolder
  private let down = RecordingSink { _ in .retry(after: nil, FlagError(.general, "down")) }

  init() throws { folder = try TemporaryFolder() }

  @Test("With a key, ids are hashed before they are queued, alike in exposures, conversions and sampling")
  func hashesUnits() async throws {
    var options = TrackingOptions()
    options.unitHashKey = Self.key
    options.attributes = ["targetingKey", "plan"]
    options.samplingRate = 0.5
    let tracker = try makeTracker(in: folder, to: down, options)
    let units = (0..<40).map { "user-\($0)" }
    tracker.track(units.map { .of($0, attributes: ["plan": "free"]) })
    for unit in units { tracker.collect(Conversion(name: "x", unit: unit)) }
    await tracker.flush()
    #expect(try !folder.text.contains("user-"))
    let hashes = units.map { SHA256.hex(of: $0.utf8, key: Self.key) }
    let sampled = hashes.filter(options.samples)
    let waiting = try await tracker.waitingEvents()
    #expect(waiting.map(\.unit) == sampled + sampled && (5...35).contains(sampled.count))
    guard case .exposure(let exposure)? = waiting.first?.content else { throw FlagError(.general, "no exposure") }
    #expect(exposure.attributes == ["plan": "free", "targetingKey": .string(exposure.unit)])
  }

  @Test("With a key, every id that an event names is hashed, and so is an attribute that is one")
  func hashesAllUnits() async throws {
    var options = TrackingOptions()
    options.unitHashKey = Self.key
    options.attributes = ["company", "plan"]
    let tracker = try makeTracker(in: folder, to: down, options)
    let user = FlagUser(id: "ann-raw", attributes: ["company": "c-raw", "plan": "free"])
    tracker.track([.of(user, by: "company")])
    tracker.collect(Conversion(name: "x", units: ["targetingKey": "ann-raw", "company": "c-raw"]))
    await tracker.flush()
    #expect(try !folder.text.contains("-raw"))
    let hash = { (unit: String) in SHA256.hex(of: unit.utf8, key: Self.key) }
    let waiting = try await tracker.waitingEvents()
    guard case .exposure(let exposure)? = waiting.first?.content,
      case .conversion(let conversion)? = waiting.last?.content
    else { throw FlagError(.general, "no exposure and conversion") }
    #expect(exposure.unit == hash("c-raw") && exposure.units == ["targetingKey": hash("ann-raw")])
    #expect(exposure.attributes == ["company": .string(hash("c-raw")), "plan": "free"])
    #expect(conversion.units == ["targetingKey": hash("ann-raw"), "company": hash("c-raw")])
  }

  @Test("A private attribute leaves the device neither as a unit nor as an attribute")
  func keepsPrivateUnits() async throws {
    var options = TrackingOptions()
    options.privateAttributes = ["company"]
    options.attributes = ["company"]
    let tracker = try makeTracker(in: folder, to: down, options)
    let user = FlagUser(id: "ann", attributes: ["company": "c-1"])
    tracker.track([.of(user, by: "company"), .of(user, by: "targetingKey")])
    tracker.collect(Conversion(name: "x", units: ["targetingKey": "ann", "company": "c-1"]))
    tracker.collect(Conversion(name: "x", units: ["company": "c-1"]))
    await tracker.flush()
    #expect(try await tracker.waitingEvents().map(\.unit) == ["ann", "ann"])
    #expect(try !folder.text.contains("c-1"))
  }

  @Test("With sampling, a unit is stored always or never, also beside one that is", arguments: [0.2, 0.5])
  func samplesEachUnit(rate: Double) async throws {
    var options = TrackingOptions()
    options.samplingRate = rate
    let tracker = try makeTracker(in: folder, to: down, options)
    for number in 0..<60 {
      let user = FlagUser(id: "user-\(number)", attributes: ["company": .string("c-\(number / 3)")])
      tracker.track([.of(user, by: "company")])
      tracker.collect(Conversion(name: "x", units: ["targetingKey": user.id, "company": "c-\(number / 3)"]))
    }
    await tracker.flush()
    let waiting = try await tracker.waitingEvents()
    let converted = waiting.compactMap { if case .conversion(let conversion) = $0.content { conversion } else { nil } }
    #expect(waiting.allSatisfy { $0.namedUnits.allSatisfy(options.samples) })
    for number in 0..<60 {
      #expect(converted.contains { $0.unit == "user-\(number)" } == options.samples("user-\(number)"))
    }
    for company in 0..<20 {
      let count = converted.count { $0.units["company"] == "c-\(company)" }
      #expect(count == (options.samples("c-\(company)") ? 3 : 0))
    }
  }

  @Test("Opting out leaves no event that names the user, as any unit")
  func optsOutAsAnyUnit() async throws {
    let tracker = try makeTracker(in: folder, to: down)
    let ann = FlagUser(id: "ann", attributes: ["company": "c-1"])
    let ben = FlagUser(id: "ben", attributes: ["company": "c-1"])
    func add() {
      tracker.track([.of(ann, by: "company", variant: "a"), .of(ben, by: "company", variant: "b")])
      for id in ["ann", "ben"] {
        tracker.collect(Conversion(name: "x", units: ["targetingKey": id, "company": "c-1"]))
      }
    }
    add()
    await tracker.flush()
    add()
    await tracker.setOptedOut(true, unit: "ann")
    add()
    await tracker.flush()
    let waiting = try await tracker.waitingEvents()
    #expect(waiting.count == 6 && waiting.allSatisfy { $0.namedUnits.sorted() == ["ben", "c-1"] })
    #expect(try !folder.text.contains("ann"))
  }

  @Test("A key that could be guessed is an error")
  func refusesShortKeys() throws {
    var options = TrackingOptions()
    options.unitHashKey = Array("secret".utf8)
    let error = #expect(throws: FlagError.self) { try makeTracker(in: folder, to: down, options) }
    #expect(error?.message == "unitHashKey: expected a key of at least 16 bytes, found 6")
  }

  @Test(
    "Conversions carry all attributes that are passed, or those that are named",
    arguments: [(nil, ["coupon", "currency"]), (["currency"], ["currency"]), ([], [])] as [(Set<String>?, [String])])
  func filtersConversions(names: Set<String>?, stored: [String]) async throws {
    var options = TrackingOptions()
    options.conversionAttributes = names
    let tracker = try makeTracker(in: folder, to: down, options)
    tracker.collect(Conversion(name: "x", unit: "ann", attributes: ["currency": "EUR", "coupon": "ann@example.com"]))
    await tracker.flush()
    guard case .conversion(let conversion)? = try await tracker.waitingEvents().first?.content else {
      throw FlagError(.general, "no conversion")
    }
    #expect(conversion.attributes.keys.sorted() == stored)
    #expect(try folder.text.contains("example.com") == stored.contains("coupon"))
  }

  @Test("A user who opts out leaves nothing in memory or on the disk; others stay", arguments: [false, true])
  func optsOutOne(isHashed: Bool) async throws {
    var options = TrackingOptions()
    if isHashed { options.unitHashKey = Self.key }
    let name = { (unit: String) in isHashed ? SHA256.hex(of: unit.utf8, key: Self.key) : unit }
    let tracker = try makeTracker(in: folder, to: down, options)
    tracker.track([.of("ann"), .of("ben")])
    await tracker.flush()
    tracker.collect(Conversion(name: "x", unit: "ann"))
    tracker.collect(Conversion(name: "x", unit: "ben"))
    await tracker.setOptedOut(true, unit: "ann")
    #expect(try !folder.text.contains(name("ann")))
    tracker.track([.of("ann", variant: "b")])
    tracker.collect(Conversion(name: "x", unit: "ann"))
    #expect(try await tracker.waitingEvents().map(\.unit) == [name("ben"), name("ben")])
    await tracker.setOptedOut(false, unit: "ann")
    tracker.track([.of("ann"), .of("ben")])
    #expect(try await tracker.waitingEvents().map(\.unit) == [name("ben"), name("ben"), name("ann")])
  }

  @Test("A user whose events cannot be removed yet is not sent, and is removed as soon as the disk permits")
  func removesLater() async throws {
    let (clock, reporter) = (ManualClock(), RecordingReporter())
    let sink = RecordingSink([.retry(after: nil, FlagError(.general, "down"))])
    let tracker = try makeTracker(in: folder, to: sink, reporter: reporter, environment: .fixed(clock))
    tracker.track([.of("ann"), .of("ben")])
    await tracker.flush()
    let (queue, aside) = (folder.url.appending(path: "queue.jsonl"), folder.url.appending(path: "aside"))
    try FileManager.default.moveItem(at: queue, to: aside)
    try FileManager.default.createDirectory(at: queue, withIntermediateDirectories: false)
    await tracker.setOptedOut(true, unit: "ann")
    await clock.waitForSleeper(for: .milliseconds(500))
    clock.advance(by: .milliseconds(500))
    await tracker.flush()
    #expect(sink.batches.count == 1 && reporter.messages.count == 2)
    try FileManager.default.removeItem(at: queue)
    try FileManager.default.moveItem(at: aside, to: queue)
    await tracker.flush()
    #expect(sink.units == [["ann", "ben"], ["ben"]])
  }
}
