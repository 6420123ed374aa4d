import FlagAnalysis
import FlagDomain
import FlagEvents
import Foundation
import TestSupport

extension TrackedEvent {
  static func of(_ content: Content, at microseconds: Int64 = 0, id: String = "") -> Self {
    TrackedEvent(id: id, time: EventTime(microseconds: microseconds), content: content)
  }

  static func exposed(
    _ unit: String, _ variant: String, at seconds: Int64, flag: String = "f", _ attributes: [String: FlagValue] = [:]
  ) -> Self {
    var exposure = TrackedExposure(flag: flag, variant: variant, unit: unit)
    exposure.attributes = attributes
    return of(.exposure(exposure), at: seconds * 1_000_000)
  }

  static func did(_ name: String, _ unit: String, at seconds: Int64, value: Double = 0, id: String? = nil) -> Self {
    of(
      .conversion(Conversion(name: name, unit: unit, value: value)), at: seconds * 1_000_000,
      id: id ?? "\(name) \(unit) \(seconds)")
  }
}

extension JoinMemory {
  /// Enough for tests to need no file.
  static let large = JoinMemory(directory: "/nowhere")
}

extension ExperimentData {
  /// Joins events.
  init(
    _ events: [TrackedEvent], flag: String? = nil, names: Set<String>? = nil, window: ConversionWindow? = nil,
    measuresBefore: Bool = false, memory: JoinMemory = .large, plan: (inout JoinPlan) -> Void = { _ in }
  ) throws(AnalysisError) {
    var questions = JoinPlan()
    (questions.flag, questions.names, questions.window) = (flag, names, window)
    questions.measuresBefore = measuresBefore
    plan(&questions)
    var join = ExperimentJoin(questions, memory: memory)
    for event in events { try join.add(event) }
    self = try join.finish()
  }

  /// Users with the same number in each variant, of whom some shares do a thing once.
  init(users: Int, shares: [String: Double], name: String = "purchase") throws(AnalysisError) {
    var events: [TrackedEvent] = []
    for (variant, share) in shares {
      for number in 0..<users {
        let unit = "\(variant) \(number)"
        events.append(.exposed(unit, variant, at: 0))
        if Double(number) < share * Double(users) { events.append(.did(name, unit, at: 1, value: 2)) }
      }
    }
    try self.init(events)
  }
}
