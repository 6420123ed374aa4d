import FlagAnalysis
import FlagDomain
import FlagEvents
import FlagStatistics
import Foundation
import TestSupport
import Testing

@Suite("Joining events")
struct ExperimentJoinTests {
  @Test("A user counts from the first exposure on, in one variant, and an event once")
  func joins() throws {
    let data = try ExperimentData([
      .did("buy", "ann", at: 5, value: 1), .exposed("ann", "blue", at: 10), .exposed("ann", "blue", at: 20),
      .did("buy", "ann", at: 10, value: 2), .did("buy", "ann", at: 15, value: 4, id: "x"),
      .did("buy", "ann", at: 15, value: 4, id: "x"), .exposed("bob", "green", at: 86_400),
      .did("visit", "bob", at: 86_401),
      .exposed("eve", "green", at: 1), .exposed("eve", "blue", at: 2), .did("buy", "eve", at: 3),
      .did("buy", "zoe", at: 3), .of(.loss(TrackedLoss(count: 17))),
      .of(.loss(TrackedLoss(count: .max))),
    ])
    #expect(data.flag == "f")
    #expect(data.variants.map(\.name) == ["blue", "green"] && data.variants.map(\.users) == [1, 1])
    #expect(data.variants.map(\.usersByDay) == [[0: 1], [1: 1]])
    let bought = try #require(data.variants[0].conversions["buy"])
    #expect(bought.users == 1)
    #expect([bought.counts.sum, bought.values.sum, bought.values.sumOfSquares] == [2, 6, 36])
    #expect(data.variants[0].conversions["visit"] == nil && data.variants[1].conversions["visit"]?.users == 1)
    var excluded = ExperimentData().excluded
    (excluded.usersOfSeveralVariants, excluded.conversionsBefore) = (1, 1)
    (excluded.conversionsOfOthers, excluded.duplicates) = (1, 1)
    #expect(data.excluded == excluded)
    #expect(data.notes.lost == .max)
  }

  @Test("Of several flags one must be named, and conversions of other names do not count")
  func chooses() throws {
    let events: [TrackedEvent] = [
      .exposed("ann", "a", at: 1), .exposed("ann", "b", at: 1, flag: "g"), .did("buy", "ann", at: 2),
      .did("visit", "ann", at: 2),
    ]
    #expect(throws: AnalysisError(#"exposures of two flags, "f" and "g": --flag says which one counts"#)) {
      try ExperimentData(events)
    }
    let data = try ExperimentData(events, flag: "g", names: ["visit", "absent"])
    #expect(data.flag == "g" && data.variants.map(\.name) == ["b"] && data.names == ["visit"])
  }

  @Test("Where conversions count for a time, those at its end do, and later ones are left out and counted")
  func endsWindow() throws {
    let late = TrackedEvent.of(.conversion(Conversion(name: "buy", unit: "ann")), at: .max, id: "late")
    let data = try ExperimentData(
      [
        .exposed("ann", "a", at: -10), .exposed("ann", "a", at: 40), .did("buy", "ann", at: -11),
        .did("buy", "ann", at: 50, value: 2), .did("buy", "ann", at: 51, value: 4), late,
      ], window: try ConversionWindow("60s"))
    #expect(data.variants[0].conversions["buy"]?.values.sum == 2)
    #expect(data.excluded.conversionsBefore == 1 && data.excluded.conversionsAfter == 2)
    #expect(data.window?.description == "1m")
  }

  @Test("What users did before their first exposure is measured with what each did since, where that is asked for")
  func measuresBefore() throws {
    let events: [TrackedEvent] = [
      .exposed("ann", "a", at: 10), .did("buy", "ann", at: 1, value: 1), .did("buy", "ann", at: 2, value: 2),
      .did("buy", "ann", at: 11, value: 4), .exposed("bob", "a", at: 10), .did("buy", "bob", at: 11, value: 8),
      .exposed("eve", "a", at: 10), .did("buy", "eve", at: 9, value: 16), .did("visit", "eve", at: 9),
    ]
    let data = try ExperimentData(events, measuresBefore: true)
    let bought = try #require(data.variants[0].conversions["buy"])
    let before = try #require(bought.before)
    #expect(bought.users == 2 && bought.values.sum == 12 && data.excluded.conversionsBefore == 4)
    func sums(_ statistics: PairedStatistics) -> [Double] {
      [statistics.outcome.sum, statistics.covariate.sum, statistics.covariate.sumOfSquares, statistics.sumOfProducts]
    }
    #expect(sums(before.shares) == [2, 2, 2, 1])
    #expect(sums(before.counts) == [2, 3, 5, 2])
    #expect(sums(before.values) == [12, 19, 265, 12])
    #expect(before.values.count == 3)
    #expect(data.names == ["buy"] && data.variants[0].conversions["visit"]?.before?.counts.covariate.sum == 1)
    let others = try ExperimentData(events)
    #expect(others.variants[0].conversions.keys.sorted() == ["buy"])
    #expect(others.variants[0].conversions["buy"]?.before == nil)
  }

  @Test("Of conversions of a user with one id the earliest counts, in any order of the events")
  func countsEarliest() throws {
    let exposures = ["ann", "bob"].map { TrackedEvent.exposed($0, "a", at: 0) }
    let events: [TrackedEvent] = [
      .did("buy", "ann", at: 5, value: 8, id: "1"), .did("buy", "ann", at: 4, value: 2, id: "1"),
      .did("ask", "ann", at: 4, value: 1, id: "1"), .did("ask", "ann", at: 4, value: 4, id: "1"),
      .did("buy", "bob", at: 6, value: 16, id: "1"),
    ]
    for events in [events, events.reversed()] {
      let data = try ExperimentData(exposures + events)
      #expect(data.excluded.duplicates == 3)
      #expect(data.variants[0].conversions["ask"]?.values.sum == 1)
      #expect(data.variants[0].conversions["buy"]?.values.sum == 16)
    }
  }

  @Test("Too many variants or names are an error, not more and more memory")
  func bounds() {
    #expect(throws: AnalysisError("expected at most 100 variants, found another one")) {
      try ExperimentData((0...100).map { .exposed("u", "\($0)", at: 0) })
    }
    #expect(throws: AnalysisError("conversions of more than 100 names: --metric says which ones count")) {
      try ExperimentData((0...100).map { .did("\($0)", "u", at: 0) })
    }
  }

  @Test("Sampling, versions and the greatest values are noted")
  func notes() throws {
    func exposure(_ rate: Double, _ version: String?) -> TrackedEvent {
      .of(
        .exposure(TrackedExposure(flag: "f", variant: "a", unit: "u", version: version, rate: rate)), at: .max)
    }
    let data = try ExperimentData([exposure(0.5, "1"), exposure(0.25, "2"), exposure(1, nil)])
    #expect(data.notes.rates == 0.25...1 && data.notes.versions == ["1", "2"])
  }

  @Test(
    "What does not fit into memory goes to the disk and back, in any order, and leaves nothing there",
    arguments: [1, 7])
  func spills(buffer: Int) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "join-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
    var generator = SeededGenerator(seed: 3)
    var events: [TrackedEvent] = []
    for number in 0..<300 {
      let unit = "user-\(number)"
      for _ in 0..<(number % 4) {
        events.append(.did("n\(number % 3)", unit, at: .random(in: 0...9, using: &generator)))
      }
      events.append(.exposed(unit, ["a", "b"].randomElement(using: &generator) ?? "", at: 4))
      if number % 50 == 0 { events.append(.exposed(unit, "a", at: 2)) }
    }
    let expected = try ExperimentData(events, measuresBefore: true)
    events.shuffle(using: &generator)
    // Partitions of more than 2 records are divided again, until that does not help.
    let memory = JoinMemory(directory: folder.path, buffer: buffer, batch: 2)
    #expect(try ExperimentData(events, measuresBefore: true, memory: memory) == expected)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test("A disk that takes nothing is an error that says so")
  func cannotSpill() {
    let memory = JoinMemory(directory: "/nowhere/at/all", buffer: 1)
    #expect(
      throws: AnalysisError(
        "the temporary folder: /nowhere/at/all: expected a file that can be written: its directory does not exist")
    ) { try ExperimentData([.exposed("u", "a", at: 0)], memory: memory) }
  }
}
