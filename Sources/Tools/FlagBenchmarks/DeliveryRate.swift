import FlagDomain
import FlagHTTP
import FlagServer
import FlagTracking
import Foundation

/// The rate at which a burst of events is delivered, with the default options of a server.
///
/// Four threads track the events as fast as they can; the time ends when the last event has arrived.
struct DeliveryRate {
  /// A destination of events, and the limit of its rate.
  struct Destination: Sendable {
    let name: String
    let events: Int
    /// The minimum number of events a second: what is promised of two cores.
    let limit: Double
    /// Returns a sink, and a closure that counts the events, and the lost ones, that have arrived.
    let make: @Sendable (URL) throws -> (sink: any EventSink, arrived: @Sendable () -> (events: Int, lost: Int))
  }

  let name: String
  let perSecond: Double
  /// The number of events that did not arrive.
  let lost: Int
  private let limit: Double

  /// Tracks a burst, and waits until all events have arrived or are reported as lost.
  init(to destination: Destination) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "delivery-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let (sink, arrived) = try destination.make(folder)
    let tracker = try EventTracker(in: folder.appending(path: "queue"), to: sink, options: .server)
    let (threads, end) = (4, ContinuousClock.now + .seconds(120))
    let start = ContinuousClock.now
    for thread in 0..<threads {
      Thread.detachNewThread {
        for number in 0..<destination.events / threads {
          let attributes: [String: FlagValue] = ["currency": "EUR", "items": 3]
          tracker.collect(
            Conversion(name: "purchase", unit: "\(thread)-\(number)", value: 12.5, attributes: attributes))
        }
      }
    }
    var count = (events: 0, lost: 0)
    while count.events + count.lost < destination.events {
      guard ContinuousClock.now < end else {
        throw UsageError(message: "\(destination.name): \(count.events) events came in 120 s")
      }
      Thread.sleep(forTimeInterval: 0.005)
      count = arrived()
    }
    perSecond = Double(count.events) / ((ContinuousClock.now - start) / .seconds(1))
    (name, lost, limit) = (destination.name, count.lost, destination.limit)
    // Until it has stopped, the tracker takes what has arrived out of its queue.
    let stopped = DispatchSemaphore(value: 0)
    Task {
      await tracker.shutdown()
      stopped.signal()
    }
    stopped.wait()
    try FileManager.default.removeItem(at: folder)
  }

  var line: String { "\(name) delivers \(Int(perSecond)) events a second, and loses \(lost)" }

  /// The message if a limit is missed; nil if not.
  var miss: String? {
    if lost > 0 { return "\(name): expected no lost event, found \(lost)" }
    return perSecond < limit ? "\(name): expected at least \(limit) events a second, found \(perSecond)" : nil
  }

  static let destinations = [file, http]

  private static let file = Destination(name: "delivery.file", events: 100_000, limit: 20_000) { folder in
    let url = folder.appending(path: "events.jsonl")
    let arrived = Locked((offset: 0, events: 0, lost: 0))
    return (
      FileSink(url),
      {
        // Only lines that came since are read.
        arrived.withLock { arrived in
          guard let file = FileHandle(forReadingAtPath: url.path) else { return (0, 0) }
          file.seek(toFileOffset: UInt64(arrived.offset))
          let text = Array(file.readDataToEndOfFile())
          file.closeFile()
          arrived.offset += text.count
          let new = count(text)
          arrived = (arrived.offset, arrived.events + new.events, arrived.lost + new.lost)
          return (arrived.events, arrived.lost)
        }
      }
    )
  }

  /// Counts the events in lines, and those that a line reports as lost.
  private static func count(_ text: [UInt8]) -> (events: Int, lost: Int) {
    let loss = Array(#"{"count":"#.utf8)
    var (events, lost) = (0, 0)
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let isLoss = line.starts(with: loss)
      let digits = isLoss ? line.dropFirst(loss.count).prefix { (0x30...0x39).contains($0) } : []
      events += isLoss ? 0 : 1
      lost += Int(String(decoding: digits, as: UTF8.self)) ?? 0
    }
    return (events, lost)
  }

  /// A server on this machine that takes 100 ms for each request.
  private static let http = Destination(name: "delivery.http", events: 50_000, limit: 5000) { _ in
    let counts = Locked((events: 0, lost: 0))
    let server = try HTTPServer(
      Service([
        .init(
          .post, "/events",
          .waiting { request in
            try await Task.sleep(for: .milliseconds(100))
            let new = count(request.message.body)
            counts.withLock { $0 = ($0.events + new.events, $0.lost + new.lost) }
            return .response(HTTPResponse(.noContent))
          })
      ]))
    guard let url = URL(string: "http://127.0.0.1:\(server.port)/events") else {
      throw UsageError(message: "expected an address")
    }
    let sink = try HTTPSink(url, format: .jsonLines)
    return (sink, { withExtendedLifetime(server) { counts.withLock { $0 } } })
  }
}
