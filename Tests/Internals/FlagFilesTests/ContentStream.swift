import FlagFiles
import Foundation

/// The contents that a follower delivers, in order, until a test reads them.
///
/// A test that waits for what never comes is ended by its suite's time limit.
final class ContentStream: Sendable {
  private let stream: AsyncStream<Result<Data, FileError>>
  private let continuation: AsyncStream<Result<Data, FileError>>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }
}

extension ContentStream {
  func record(_ content: Result<Data, FileError>) { continuation.yield(content) }

  /// Waits for a text, passing over all before it; returns whether it came.
  func reaches(_ text: String) async -> Bool {
    for await content in stream where content == .success(Data(text.utf8)) { return true }
    return false
  }

  /// Waits for what comes next.
  func next() async -> Result<Data, FileError>? {
    for await content in stream { return content }
    return nil
  }

  /// Returns all that came and was not asked for; nothing can come after that.
  func rest() async -> [Result<Data, FileError>] {
    continuation.finish()
    return await stream.reduce(into: []) { $0.append($1) }
  }
}

extension FileFollower {
  /// Follows a file into a stream.
  convenience init(_ url: URL, known: String? = nil, settling: Duration = .milliseconds(50), into stream: ContentStream)
    throws(FileError)
  {
    try self.init(SharedFile(url), known: known.map { Data($0.utf8) }, settling: settling) { stream.record($0) }
  }
}
