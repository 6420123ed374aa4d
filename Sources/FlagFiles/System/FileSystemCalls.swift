/// The calls in which file systems and systems differ.
struct FileSystemCalls: Sendable {
  /// Asks the system not to suspend the app while a lock is held; nil if it suspends none.
  var activity = ExpiringActivity.system
  /// Wait until a file is on the disk, given its descriptor; each is for file systems that lack the one before.
  var flushes: [@Sendable (Int32) -> Int32]
  /// Gives a new file what the system keeps of an old one besides its content, owner and mode, given both descriptors.
  var copyAttributes: @Sendable (_ old: Int32, _ new: Int32) -> Int32
}
