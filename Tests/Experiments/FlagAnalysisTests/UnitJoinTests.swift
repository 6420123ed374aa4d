import FlagAnalysis
import FlagDomain
import FlagEvents
import FlagStatistics
import Testing

@Suite("Units of experiments")
struct UnitJoinTests {
  /// Companies of five users each, in turn of two variants; of each, some users buy.
  private static func events(companies: Int = 40, by attribute: String? = "company") -> [TrackedEvent] {
    (0..<companies).flatMap { company in
      (0..<5).flatMap { number -> [TrackedEvent] in
        let user = "u-\(company)-\(number)"
        var exposure = TrackedExposure(flag: "f", variant: company % 2 == 0 ? "a" : "b", unit: "c-\(company)")
        if let attribute { exposure.unitAttribute = attribute }
        let units = ["targetingKey": user, "company": "c-\(company)"]
        let buys = number < (company % 2 == 0 ? 1 : 3)
        return [.of(.exposure(exposure))]
          + (buys ? [.of(.conversion(Conversion(name: "buy", units: units, value: 2)), at: 1, id: user)] : [])
      }
    }
  }

  private static func health(_ events: [TrackedEvent], _ plan: (inout JoinPlan) -> Void = { _ in }) throws
    -> HealthPanel
  {
    try ExperimentAnalysis(of: try ExperimentData(events, plan: plan), AnalysisSettings()).health
  }

  @Test("A conversion belongs to the unit that exposures name, in whatever order events come", arguments: [0, 1, 2])
  func joinsByUnit(order: Int) throws {
    var events = Self.events()
    if order == 1 { events.reverse() }
    if order == 2 { events.sort { $0.id < $1.id } }
    let data = try ExperimentData(events)
    #expect(data.variants.map(\.users) == [20, 20] && data.excluded.conversionsOfOthers == 0)
    #expect(data.variants.map { $0.conversions["buy"]?.counts.sum } == [20, 60])
    #expect(data.units.attribute == "company" && data.units.exposed == ["c-0", "c-1", "c-10"])
    #expect(data.units.converted == data.units.exposed)
    #expect(try Self.health(events).isSound)
  }

  @Test("A conversion without the unit is counted for no unit, once each, in any order of events")
  func missesUnits() throws {
    let lacking = (0..<30).flatMap { number -> [TrackedEvent] in
      let event = TrackedEvent.of(.conversion(Conversion(name: "buy", unit: "c-\(number)")), at: 1, id: "x\(number)")
      return number < 10 ? [event, event] : [event]
    }
    for events in [lacking + Self.events(), Self.events() + lacking] {
      let data = try ExperimentData(events)
      #expect(data.excluded.conversionsOfOthers == 30 && data.excluded.duplicates == 10)
      #expect(data.variants.map { $0.conversions["buy"]?.counts.sum } == [20, 60])
    }
  }

  @Test("Events by other writers, whose units have no names, are joined as they are")
  func joinsUnnamed() throws {
    let events = Self.events(by: nil).map { event in
      guard case .conversion(let conversion) = event.content else { return event }
      return .of(.conversion(Conversion(name: "buy", unit: conversion.units["company"] ?? "")), at: 1, id: event.id)
    }
    #expect(try ExperimentData(events).variants.map { $0.conversions["buy"]?.counts.sum } == [20, 60])
  }

  @Test("Exposures that count by several attributes are an error, unless one is chosen")
  func refusesSeveral() throws {
    let users = (0..<4).map { TrackedEvent.exposed("u-\($0)-0", $0 % 2 == 0 ? "a" : "b", at: 0) }
    #expect(
      throws: AnalysisError(
        #"exposures count by several attributes, "company" and "targetingKey": --unit says which one counts"#)
    ) { try ExperimentData(Self.events() + users) }
    let byUser = try ExperimentData(Self.events() + users) { $0.unit = "targetingKey" }
    #expect(byUser.users == 4 && byUser.variants.map { $0.conversions["buy"]?.counts.sum } == [2, 2])
    let byCompany = try ExperimentData(Self.events() + users) { $0.unit = "company" }
    #expect(byCompany.users == 40)
    #expect(throws: AnalysisError(#"no exposure counts by "team": they count by "company""#)) {
      try ExperimentData(Self.events()) { $0.unit = "team" }
    }
  }

  @Test(
    "An analysis is not sound if no or hardly any conversion belongs to someone exposed",
    arguments: [
      // Of this many exposed, this many did it, beside this many others.
      (200, 0, 454, false), (200, 3, 451, false), (200, 10, 190, false), (1_000, 5, 995, false),
      (5_000, 40, 5_000, false), (200, 0, 0, true), (200, 30, 0, true), (200, 19, 100, true), (200, 30, 2_000, true),
      // One user in a hundred takes part, or one in a hundred does it.
      (1_000, 150, 15_000, true), (5_000, 40, 3_000, true), (10, 4, 20, true),
    ])
  func needsConversions(exposed: Int, found: Int, others: Int, isSound: Bool) throws {
    let events =
      (0..<exposed).map { TrackedEvent.exposed("u-\($0)", $0 % 2 == 0 ? "a" : "b", at: 0) }
      + (0..<found).map { TrackedEvent.did("buy", "u-\($0)", at: 1) }
      + (0..<others).map { TrackedEvent.did("buy", "o-\($0)", at: 1) }
    #expect(try Self.health(events).isSound == isSound)
  }

  /// Visitors who see a page, of whom some sign in, and then see it again or sign up.
  private static func signIns(_ visitors: Int, among all: Int = 200, changing: Int = 0, sees: Bool = true)
    -> [TrackedEvent]
  {
    (0..<all).flatMap { number -> [TrackedEvent] in
      let (visitor, user) = ("v-\(number)", "u-\(number)")
      func seen(_ unit: String, _ variant: String, at seconds: Int64) -> TrackedEvent {
        var exposure = TrackedExposure(flag: "f", variant: variant, unit: unit)
        exposure.units = ["visitorID": visitor]
        return .of(.exposure(exposure), at: seconds)
      }
      let first = seen(visitor, number % 2 == 0 ? "a" : "b", at: 1)
      let done = TrackedEvent.of(.conversion(Conversion(name: "visit", unit: visitor)), at: 2, id: "v\(number)")
      guard number < visitors else { return [first, done] }
      let units = ["targetingKey": user, "visitorID": visitor]
      let again = seen(user, (number < changing) == (number % 2 == 0) ? "b" : "a", at: 3)
      let signup = TrackedEvent.of(.conversion(Conversion(name: "signup", units: units)), at: 4, id: "s\(number)")
      return [first, done] + (sees ? [again] : []) + [signup]
    }
  }

  @Test(
    "Visitors who became others by signing in are counted, and more than a few are not sound", arguments: [true, false])
  func tellsVisitors(sees: Bool) throws {
    func check(_ events: [TrackedEvent]) throws -> HealthPanel.Check? {
      try Self.health(events).checks.first { $0.kind == .visitorsOfSeveralUnits }
    }
    for events in [Self.signIns(60, changing: 24, sees: sees), Self.signIns(60, changing: 24, sees: sees).reversed()] {
      let check = try #require(try check(events))
      #expect(check.isFailed && check.count == 60 && check.share == 0.3 && check.changed == (sees ? 24 : 0))
      #expect(check.variants?.map(\.count) == [30, 30] && check.variants?.map(\.total) == [100, 100])
    }
    let few = try #require(try check(Self.signIns(10, sees: sees)))
    #expect(!few.isFailed && few.count == 10)
    #expect(try check(Self.signIns(0)) == nil)
    let text = TextReport(
      try ExperimentAnalysis(of: ExperimentData(Self.signIns(60, changing: 24, sees: sees)), AnalysisSettings())
    ).text
    let changed = sees ? "24 of them saw several variants" : "none of them saw several variants"
    #expect(text.contains("  !!  Visitors with several ids: 60 (30.0 %), more than 1 %, even over variants"))
    #expect(text.replacing("\n     ", with: "").contains(changed), "\(text)")
  }

  @Test("Of exposures at one time, a visitor's is before that of the user who signed in, whatever the variants")
  func ordersVisitors() throws {
    let events = Self.signIns(60, changing: 60).map { event in
      guard case .exposure = event.content else { return event }
      return TrackedEvent(id: event.id, time: EventTime(microseconds: 1), content: event.content)
    }
    for events in [events, events.reversed()] {
      let check = try Self.health(events).checks.first { $0.kind == .visitorsOfSeveralUnits }
      #expect(check?.variants?.map(\.count) == [30, 30] && check?.variants?.map(\.total) == [100, 100])
    }
  }

  @Test("Visitors who are counted themselves may be several users")
  func countsVisitors() throws {
    let events = Self.signIns(60).map { event in
      guard case .exposure(var exposure) = event.content else { return event }
      (exposure.unit, exposure.unitAttribute) = (exposure.units["visitorID"] ?? "", "visitorID")
      exposure.units = [:]
      return TrackedEvent(id: event.id, time: event.time, content: .exposure(exposure))
    }.map { event in
      // A visitor's conversions name the visitor in any case.
      guard case .conversion(var conversion) = event.content, conversion.units["visitorID"] == nil else { return event }
      conversion.units["visitorID"] = conversion.unit
      return TrackedEvent(id: event.id, time: event.time, content: .conversion(conversion))
    }
    let data = try ExperimentData(events)
    #expect(data.users == 200 && data.excluded.conversionsOfOthers == 0)
    #expect(try Self.health(events).isSound)
  }

  @Test("A report without conversions of anyone exposed says so first, with counts and ids of both sides")
  func tellsMismatch() throws {
    let events = Self.events().map { event in
      guard case .conversion(let conversion) = event.content else { return event }
      return .of(.conversion(Conversion(name: "buy", unit: conversion.unit ?? "")), at: 1, id: event.id)
    }
    let analysis = try ExperimentAnalysis(of: ExperimentData(events), AnalysisSettings())
    let check = try #require(analysis.health.checks.first)
    #expect(check.kind == .conversionsOfOthers && check.isFailed && check.count == 80 && check.share == 1)
    let lines = TextReport(analysis).text.split(separator: "\n").map(String.init)
    #expect(lines[3].hasPrefix("!! Health: 1 check failed"))
    #expect(
      Array(lines[8...10]) == [
        "  !!  Conversions of users who were exposed: 0 of 80 (0 %), hardly any.",
        "      Exposures count by \"company\", such as \"c-0\", \"c-1\", \"c-10\"; conversions",
        "      are of \"u-0-0\", \"u-1-0\", \"u-1-1\"",
      ])
    #expect(JSONReport(analysis).text.contains(#""isSound": false"#) && HTMLReport(analysis).text.contains("u-1-1"))
  }
}
