import FlagDomain
import FlagTracking
import Foundation
import Testing

@Suite("Guide to privacy", .timeLimit(.minutes(15)))
struct PrivacyGuide {
  private func log(_ text: String) { #expect(text.contains("visit")) }

  @Test("What the guide shows holds")
  func holds() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "privacy-guide-\(UUID().uuidString)")
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
    // All events wait for the whole test: if the closure throws, they stay in the queue.
    let sink = ClosureSink { _ in throw CancellationError() }

    let key = Array("a key of the experiment's own".utf8)
    var options = TrackingOptions()
    options.attributes = ["plan"]
    options.conversionAttributes = ["currency"]
    options.samplingRate = 0.5
    options.unitHashKey = key
    let tracker = try EventTracker(in: folder, to: sink, options: options)

    for number in 0..<20 { tracker.collect(Conversion(name: "visit", unit: "\(number)")) }
    let events = try await tracker.waitingEvents()
    for event in events { log("\(event)") }
    #expect(!events.isEmpty)

    await tracker.setOptedOut(true)
    #expect(try await tracker.waitingEvents().isEmpty)

    options.isOptedOut = true
    let next = try EventTracker(in: folder, to: sink, options: options)
    #expect(try await next.waitingEvents().isEmpty)

    await next.setOptedOut(false)
    await next.setOptedOut(true, unit: "ann")
    next.collect(Conversion(name: "visit", unit: "ann"))
    #expect(try await next.waitingEvents().isEmpty)
  }
}
