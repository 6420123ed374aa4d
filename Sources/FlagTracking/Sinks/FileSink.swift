import FlagDomain
import FlagFiles
public import Foundation

/// Adds events to a file, one JSON object a line: what `flagctl analyze` reads.
///
/// Several processes may add to one file. An event that a kill cut off is added again whole, and none twice.
public struct FileSink: EventSink {
  private let file: SharedFile
  private static let writes = DispatchQueue(label: "flag events")

  /// Creates a sink; the file is made with the first events, in a folder that exists.
  public init(_ url: URL) { file = SharedFile(url, mode: 0o600) }

  /// Adds the events of a batch.
  public func send(_ batch: EventBatch) async -> SinkOutcome {
    await withCheckedContinuation { continuation in
      Self.writes.async { continuation.resume(returning: add(batch)) }
    }
  }

  private func add(_ batch: EventBatch) -> SinkOutcome {
    do throws(FlagError) {
      let lines = try batch.lines
      do throws(FileError) {
        try file.append(lines: lines)
        return .delivered
      } catch {
        return .retry(after: nil, FlagError(error))
      }
    } catch {
      return .refused(error)
    }
  }
}
