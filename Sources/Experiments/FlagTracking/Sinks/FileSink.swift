import Dispatch
import FlagDomain
import FlagFiles
public import FlagFoundation

/// A sink that appends events to a file, one JSON object per line, as `flagctl analyze` reads them.
///
/// Several processes may append to one file. An event that a kill cut off is appended again as a whole; none is
/// duplicated.
public struct FileSink: EventSink {
  private let file: SharedFile
  private static let writes = DispatchQueue(label: "flag events")

  /// Creates a sink; the file is created with the first events, in an existing folder.
  public init(_ url: URL) { file = SharedFile(url, mode: 0o600) }

  /// Appends the events of a batch.
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
