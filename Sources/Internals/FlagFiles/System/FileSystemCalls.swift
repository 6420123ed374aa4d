import FlagSupport

/// The calls that differ between systems and file systems.
struct FileSystemCalls: Sendable {
  /// Requests that the system does not suspend the app while a lock is held; nil if it suspends no programs.
  var activity = ExpiringActivity.system
  /// Gives a file another name, and replaces the one that has it.
  var move: @Sendable (_ path: String, _ new: String) -> Int32 = { SystemPath.move($0, to: $1) }
  /// The calls that wait until a file is on the disk, given its descriptor; each is for file systems that lack the
  /// previous one.
  var flushes: [@Sendable (Int32) -> Int32]
  /// Copies an old file's attributes besides its content, owner and mode to a new one, given both descriptors.
  var copyAttributes: @Sendable (_ old: Int32, _ new: Int32) -> Int32
}
