import FlagDomain
import FlagEvents
import TestSupport
import Testing

@testable import FlagTracking

@Suite("Every field of tracked events")
struct EveryFieldTests {
  private let conversion = Conversion(
    name: "purchase", units: ["targetingKey": "ann", "company": "acme"], value: 12.5, attributes: ["currency": "EUR"])
  private let loss = TrackedLoss(count: 17, total: 2000, kept: 0.5, unit: "ann")

  @Test("What an app does not keep private is stored with every field")
  func stores() throws {
    expectEveryField(of: conversion)
    expectSameFields(try PrivacyFilter(TrackingOptions()).stored(conversion), conversion)
  }

  @Test("The state of a queue is read back from its file with every field")
  func keepsState() throws {
    let losses = QueueLosses(
      dropped: .init(count: 5, kept: 0.25, unit: "ann"), refused: 2, tracked: 9)
    let state = QueueState(
      version: 3, start: 100, claim: .init(id: "A", end: 200), report: .init(id: "B", time: 7, losses: losses),
      kept: 0.5, losses: losses, holdsReport: true)
    expectEveryField(of: state, differsFrom: QueueState())
    expectSameFields(try #require(QueueState(header: state.header)), state)
  }

  @Test(
    "Every field of an event makes a difference in what is sent",
    arguments: [("lines", .jsonLines), ("OTLP", .otlp(service: "app"))]
      as [(String, HTTPEventFormat)])
  func sends(name: String, format: HTTPEventFormat) throws {
    func event(_ content: TrackedEvent.Content) -> TrackedEvent {
      TrackedEvent(id: "A", time: EventTime(milliseconds: 1000), content: content)
    }
    func isSameBody(_ one: TrackedEvent, _ other: TrackedEvent) -> Bool {
      let bodies = [one, other].map { event in
        Result { () throws(FlagError) in try format.body(of: EventBatch(id: "batch", events: [event])) }
      }
      return bodies[0] == bodies[1]
    }
    let envelope: [(inout TrackedEvent) -> Void] = [{ $0.id = "B" }, { $0.time = EventTime(milliseconds: 2000) }]
    // With a variant there is no value.
    var exposure = TrackedExposure(
      flag: "size", variant: "large", value: ["size": 7], unit: "ann", reason: .split, version: "3", rate: 0.5)
    exposure.set = "app"
    exposure.provider = "house"
    exposure.error = .general
    exposure.attributes = ["country": "es"]
    exposure.unitAttribute = "company"
    exposure.units = ["targetingKey": "ann"]
    let exposures: [(inout TrackedExposure) -> Void] = [
      { $0.flag = "other" }, { $0.variant = "small" }, { $0.unit = "ben" }, { $0.reason = .static },
      { $0.version = nil }, { $0.set = nil }, { $0.provider = nil }, { $0.error = nil }, { $0.rate = 1 },
      { $0.attributes = [:] }, { $0.unitAttribute = "team" }, { $0.units = [:] },
    ]
    expectComparison(
      of: event(.exposure(exposure)),
      afterEach: envelope + exposures.map { edit in { $0.content.edit(edit) } }, derived: ["content.exposure.value"],
      by: isSameBody)
    exposure.variant = nil
    var other = exposure
    other.value = 8
    #expect(!isSameBody(event(.exposure(exposure)), event(.exposure(other))))

    let conversions: [(inout Conversion) -> Void] = [
      { $0.name = "visit" }, { $0.units = ["targetingKey": "ben", "company": "b"] }, { $0.value = nil },
      { $0.attributes = [:] },
    ]
    expectComparison(
      of: event(.conversion(conversion)), afterEach: envelope + conversions.map { edit in { $0.content.edit(edit) } },
      by: isSameBody)
    let losses: [(inout TrackedLoss) -> Void] = [
      { $0.count = 1 }, { $0.total = nil }, { $0.kept = nil }, { $0.unit = nil },
    ]
    expectComparison(
      of: event(.loss(loss)), afterEach: envelope + losses.map { edit in { $0.content.edit(edit) } }, by: isSameBody)
  }
}

extension TrackedEvent.Content {
  fileprivate mutating func edit(_ change: (inout TrackedExposure) -> Void) {
    guard case .exposure(var exposure) = self else { return }
    change(&exposure)
    self = .exposure(exposure)
  }

  fileprivate mutating func edit(_ change: (inout Conversion) -> Void) {
    guard case .conversion(var conversion) = self else { return }
    change(&conversion)
    self = .conversion(conversion)
  }

  fileprivate mutating func edit(_ change: (inout TrackedLoss) -> Void) {
    guard case .loss(var loss) = self else { return }
    change(&loss)
    self = .loss(loss)
  }
}
