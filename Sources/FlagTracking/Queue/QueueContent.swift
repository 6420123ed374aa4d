import FlagDomain
import FlagEvents

/// The content of a queue's file: unsent batches, oldest first, with their events as lines.
///
/// The file has a line for each batch, `{"batch":"ID"}`, before the lines of its events. An event belongs to one batch
/// from the moment that it is written, so that it is never sent under two ids.
struct QueueContent: Equatable, Sendable {
  struct Batch: Equatable, Sendable {
    var id: String
    var lines: [[UInt8]]
  }

  var batches: [Batch] = []
}

extension QueueContent {
  private static let header = Array(#"{"batch":""#.utf8)
  private static let lineFeed = UInt8(ascii: "\n")

  /// Reads the content of a file; nil is an empty one.
  ///
  /// Lines before the first batch, and malformed ids, cannot come from a writer of this package: they are ignored.
  init(_ file: [UInt8]) {
    for line in file.split(separator: Self.lineFeed) {
      if line.starts(with: Self.header) {
        let id = String(decoding: line.dropFirst(Self.header.count).dropLast(2), as: UTF8.self)
        batches.append(Batch(id: id, lines: []))
      } else if !batches.isEmpty {
        batches[batches.count - 1].lines.append(Array(line))
      }
    }
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for batch in batches {
      bytes += Self.header + Array(batch.id.utf8) + Array("\"}\n".utf8)
      for line in batch.lines {
        bytes += line
        bytes.append(Self.lineFeed)
      }
    }
    return bytes
  }

  var eventCount: Int { batches.reduce(0) { $0 + $1.lines.count } }

  private var lineBytes: Int { batches.reduce(0) { $0 + $1.lines.reduce(0) { $0 + $1.count } } }
}

extension QueueContent {
  /// Adds batches, drops the oldest events beyond the limits, and returns the number of events dropped by this call.
  ///
  /// The limits include the loss event, whose batch the closure creates.
  mutating func append(
    _ new: [Batch], within options: TrackingOptions, loss: (Int) throws(FlagError) -> Batch
  ) throws(FlagError) -> Int {
    batches += new
    var (count, bytes) = (eventCount, lineBytes)
    guard count > options.eventLimit || bytes > options.byteLimit else { return 0 }
    // Earlier losses are merged into one event, except for that of the first batch, which may be in an upload.
    var told = 0
    for index in batches.indices.dropFirst() {
      for line in batches[index].lines { told += Self.lostEvents(line) }
      batches[index].lines.removeAll { Self.lostEvents($0) > 0 }
    }
    (count, bytes) = (eventCount, lineBytes)
    var lost = 0
    let room = Self.lossBytes
    for index in batches.indices {
      var dropped = 0
      for line in batches[index].lines where count + 1 > options.eventLimit || bytes + room > options.byteLimit {
        (count, bytes, dropped) = (count - 1, bytes - line.count, dropped + 1)
        let older = Self.lostEvents(line)
        if older > 0 { told += older } else { lost += 1 }
      }
      batches[index].lines.removeFirst(dropped)
    }
    batches.removeAll { $0.lines.isEmpty }
    if lost + told > 0 { batches.append(try loss(lost + told)) }
    return lost
  }

  private static let lossBytes = 200

  /// Returns the number of lost events that a line reports; 0 for any other event, and for an unreadable line.
  private static func lostEvents(_ line: [UInt8]) -> Int {
    // A longer line is not parsed: each update would read all of the file.
    guard line.count <= lossBytes, line.starts(with: Array(#"{"count":"#.utf8)) else { return 0 }
    do throws(FlagError) {
      var reader = EventReader(.queue)
      if case .loss(let loss)? = try reader.read(line)?.content { return loss.count }
    } catch {
      return 0  // reported when the batch is sent
    }
    return 0
  }

  /// Replaces a batch by others, or removes it if there are no others; returns whether it was found.
  mutating func replace(_ id: String, with others: [Batch]) -> Bool {
    guard let index = batches.firstIndex(where: { $0.id == id }) else { return false }
    batches.replaceSubrange(index...index, with: others)
    return true
  }
}
