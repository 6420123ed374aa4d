public import FlagDomain
public import Foundation

/// Notices that files change.
public protocol FileWatching: Sendable {
  /// Calls a closure after each change of a file, until the subscription ends.
  ///
  /// The file may be written to, replaced, removed, and made again. The closure is called on any thread, one call at a
  /// time, and perhaps without need; several changes in quick succession may be one call.
  ///
  /// - Throws: A `FlagError` when the file's folder cannot be watched.
  func watch(_ file: URL, _ onChange: @escaping @Sendable () -> Void) throws(FlagError) -> FlagSubscription
}
