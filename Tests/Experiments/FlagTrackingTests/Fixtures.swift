import FlagDomain
import FlagEvents
import FlagTesting
import Foundation
import Testing

@testable import FlagTracking

/// A folder of a test's own, which goes with it.
final class TemporaryFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(path: "tracking-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { #expect(throws: Never.self) { try FileManager.default.removeItem(at: url) } }

  /// The text of all files.
  var text: String {
    get throws {
      try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
        .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    }
  }
}

/// A sink that does what it is told, and remembers what it was sent.
final class RecordingSink: EventSink {
  private struct State: Sendable {
    var batches: [EventBatch] = []
    var outcomes: [SinkOutcome] = []
    var answer: @Sendable (EventBatch) -> SinkOutcome = { _ in .delivered }
  }

  private let state = Locked(State())

  /// Answers by a closure, after the outcomes that are given first.
  init(
    _ outcomes: [SinkOutcome] = [], then answer: @escaping @Sendable (EventBatch) -> SinkOutcome = { _ in .delivered }
  ) {
    state.withLock { state in
      state.outcomes = outcomes
      state.answer = answer
    }
  }

  /// What was sent, taken or not.
  var batches: [EventBatch] { state.withLock { $0.batches } }
  var events: [TrackedEvent] { batches.flatMap(\.events) }
  /// The units of the exposures and conversions of each batch.
  var units: [[String]] { batches.map { $0.events.map(\.unit) } }

  func send(_ batch: EventBatch) async -> SinkOutcome {
    let answer = state.withLock { state -> @Sendable (EventBatch) -> SinkOutcome in
      state.batches.append(batch)
      guard !state.outcomes.isEmpty else { return state.answer }
      let outcome = state.outcomes.removeFirst()
      return { _ in outcome }
    }
    return answer(batch)
  }
}

/// Remembers what failed.
final class RecordingReporter: FlagErrorReporter {
  private let state = Locked<[FlagError]>([])
  var messages: [String] { state.withLock { $0.map(\.message) } }
  func report(_ error: FlagError) { state.withLock { $0.append(error) } }
}

extension TrackedEvent {
  /// Reads a line of a queue.
  static func reading(_ line: String) throws -> TrackedEvent {
    var reader = EventReader(.queue)
    return try #require(try reader.read(Array(line.utf8)))
  }

  /// Whoever the event is of; the number of events, where it is a loss.
  var unit: String {
    switch content {
    case .exposure(let exposure): exposure.unit
    case .conversion(let conversion): conversion.unit ?? ""
    case .loss(let loss): "lost \(loss.count)"
    }
  }
}

extension TrackingEnvironment {
  /// A time that stands still, waits on a test's clock, and ids that count up.
  static func fixed(_ clock: ManualClock = ManualClock(), name: String = "id") -> TrackingEnvironment {
    var environment = TrackingEnvironment()
    let next = Locked(0)
    environment.clock = clock
    environment.now = { 1_795_328_365_123 }
    environment.randomness = { 0.5 }
    environment.makeID = {
      next.withLock { next in
        next += 1
        return "\(name)-\(next)"
      }
    }
    return environment
  }
}

extension Exposure {
  static func of(
    _ unit: String, flag: FlagKey = "button", variant: String? = "a", value: FlagValue = "green",
    version: String? = "7", attributes: [String: FlagValue] = [:], time: Int64 = 1_795_328_365_123
  ) -> Exposure {
    Exposure(
      flag: flag, unit: unit,
      resolution: FlagResolution(
        value, variant: variant, reason: .split, provider: "house",
        metadata: version.map { ["version": .string($0)] } ?? [:]),
      context: EvaluationContext(user: FlagUser(id: unit, attributes: attributes)), time: time)
  }
}

extension Exposure {
  /// An exposure of a user, in an experiment that counts by an attribute.
  static func of(_ user: FlagUser, by attribute: String, variant: String = "a") -> Exposure {
    let context = EvaluationContext(user: user)
    return Exposure(
      flag: "button", unit: context.unit(named: attribute) ?? "", unitAttribute: attribute,
      resolution: FlagResolution("green", variant: variant, reason: .split), context: context, time: 1_795_328_365_123)
  }
}

/// Creates a tracker on a folder.
func makeTracker(
  in folder: TemporaryFolder, to sink: any EventSink, _ options: TrackingOptions = TrackingOptions(),
  reporter: RecordingReporter? = nil, environment: TrackingEnvironment = .fixed()
) throws -> EventTracker {
  try EventTracker(in: folder.url, to: sink, options: options, reporter: reporter, environment: environment)
}
