public import FlagDomain
public import Foundation

extension InHouseProvider {
  /// Serves the document in a file, and what the file becomes, until the subscription ends.
  ///
  /// While the file is missing, half written or cannot be served, the last good document is served.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - watcher: What notices that the file changes.
  ///   - onError: Hears of each change that left the file unusable, on any thread.
  /// - Returns: What ends the following, when it is cancelled or let go of.
  /// - Throws: A `FlagError` when the file's folder cannot be watched.
  public func follow(
    _ file: URL, watcher: some FileWatching = FileWatcher(), onError: @escaping @Sendable (any Error) -> Void
  ) throws(FlagError) -> FlagSubscription {
    try watcher.watch(file) { [weak self] in
      do {
        try self?.update(with: Data(contentsOf: file))
      } catch {
        onError(error)
      }
    }
  }
}
