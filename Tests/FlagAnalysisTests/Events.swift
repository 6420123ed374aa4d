import FlagAnalysis
import Foundation
import TestSupport

extension TrackedEvent {
  static func exposed(_ unit: String, _ variant: String, at seconds: Int64, flag: String = "f") -> Self {
    .exposure(Exposure(flag: flag, variant: variant, unit: unit, time: EventTime(microseconds: seconds * 1_000_000)))
  }

  static func did(_ name: String, _ unit: String, at seconds: Int64, value: Double = 0, id: String? = nil) -> Self {
    .conversion(
      Conversion(
        name: name, unit: unit, time: EventTime(microseconds: seconds * 1_000_000),
        id: id ?? "\(name) \(unit) \(seconds)",
        value: value))
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
    measuresBefore: Bool = false, memory: JoinMemory = .large
  ) throws(AnalysisError) {
    var join = ExperimentJoin(
      flag: flag, names: names, window: window, measuresBefore: measuresBefore, memory: memory)
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
