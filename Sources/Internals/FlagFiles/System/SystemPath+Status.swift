package import FlagSupport

// Not in the module below, since Apple wants a reason from each one that reads such metadata, and this one has it.
extension SystemPath {
  /// Reads the metadata of what a path leads to, or of a link itself; -1 is a failure.
  package static func read(_ status: inout stat, of path: String, followingLinks: Bool = true) -> Int32 {
    unsafe followingLinks ? stat(path, &status) : lstat(path, &status)
  }
}
