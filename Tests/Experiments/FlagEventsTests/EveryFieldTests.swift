import FlagDomain
import FlagEvents
import TestSupport
import Testing

@Suite("Every field of events")
struct EveryFieldTests {
  private static let exposures = [
    exposure(of: FlagResolution(["size": 7], variant: "large")), exposure(of: FlagResolution(["size": 7])),
  ]

  /// Returns an exposure of which all is recorded: of the value, if the resolution names no variant.
  private static func exposure(of resolution: FlagResolution<FlagValue>) -> TrackedExposure {
    TrackedExposure(
      Exposure(
        flag: "every-field.events", unit: "acme", unitAttribute: "company", resolution: resolution,
        context: EvaluationContext(user: FlagUser(id: "ann"), attributes: ["country": "es"], anonymousID: "visitor"),
        time: 1), attributes: ["country"], rate: 0.5)
  }

  @Test("An exposure has every part of what was resolved")
  func records() {
    expectEveryField(
      of: Self.exposures[0], Self.exposures[1],
      differsFrom: TrackedExposure(flag: "", variant: nil, unit: "", reason: .unknown))
  }

  @Test("A tracker's queue gives events back with every field")
  func readsBack() throws {
    let conversion = Conversion(
      name: "purchase", units: ["targetingKey": "ann", "company": "acme"], value: 12.5, attributes: ["currency": "EUR"])
    expectEveryField(of: conversion)
    let loss = TrackedLoss(count: 17, total: 2000, kept: 0.5, unit: "ann")
    expectEveryField(of: loss)
    let contents = Self.exposures.map { TrackedEvent.Content.exposure($0) } + [.conversion(conversion), .loss(loss)]
    for content in contents {
      let event = TrackedEvent(id: "A", time: EventTime(milliseconds: 1_795_328_365_123), content: content)
      var reader = EventReader(.queue)
      expectSameFields(try #require(try reader.read(event.line())), event)
      #expect(reader.unknownMembers == 0)
    }
  }

  @Test("An analysis reads from a file what it counts, and attributes on request")
  func readsCounted() throws {
    for exposure in Self.exposures {
      let line = try TrackedEvent(id: "A", time: EventTime(microseconds: 1_000_000), content: .exposure(exposure))
        .line()
      var reader = EventReader(.file, readsAttributes: true)
      guard case .exposure(let read)? = try reader.read(line)?.content else {
        throw FlagError(.general, "expected an exposure")
      }
      expectSameFields(read, exposure, except: ["reason", "set", "provider", "error"])
    }
  }
}

extension FlagResolution<FlagValue> {
  fileprivate init(_ value: FlagValue, variant: String? = nil) {
    self.init(
      value, variant: variant, reason: .split, provider: "house", errors: [FlagError(.general, "out of order")],
      metadata: ["version": "3", "flagSetId": "app"])
  }
}
