package import FlagFoundation
package import FlagSupport

extension SharedFile {
  /// Replaces a file atomically, while the lock is held.
  ///
  /// The bytes are written to `.NAME.tmp` in the same directory, which is then renamed to the file. A writer that is
  /// killed before that leaves `.NAME.tmp`; the next one removes it. After any failure the file is unchanged.
  ///
  /// A file that is mounted by itself, as in a container, cannot be replaced, and is written in place.
  ///
  /// The path is behind all links; the new file gets the owner, mode and attributes of the old one, if there is one.
  package func replace(_ path: String, with data: Data, as old: (path: String, status: stat)?) throws(FileError) {
    let temporary = Self.path(".\(Self.name(of: path)).tmp", beside: path)
    SystemPath.remove(temporary)
    do throws(FileError.Reason) {
      try write(data, to: temporary, as: old)
      try FileError.check { calls.move(temporary, path) }
    } catch {
      SystemPath.remove(temporary)
      if error == .system(EBUSY) { return try overwrite(path, with: data) }
      throw FileError(.write, path, error)
    }
    if isDurable { flushDirectory(of: path) }
  }

  private func write(
    _ data: Data, to path: String, as old: (path: String, status: stat)?
  ) throws(FileError.Reason) {
    // Only the owner may read it until its mode and owner are set.
    let mode = old == nil ? mode : 0o600
    let file = try FileDescriptor(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
    // While it is empty, so that its content is never less protected than the old one.
    if let old { try copyAttributes(of: old.path, to: file) }
    try file.append(data)
    if let old { try file.adopt(old.status) }
    if isDurable { try file.flush(calls.flushes) }
    try file.finish()
  }

  private func copyAttributes(of path: String, to file: borrowing FileDescriptor) throws(FileError.Reason) {
    let old = try FileDescriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    let new = file.number
    try FileError.check { calls.copyAttributes(old.number, new) }
  }

  /// Waits until the new name is on the disk.
  ///
  /// The file is replaced already. An error would say that it is not, so errors are ignored.
  private func flushDirectory(of path: String) {
    do throws(FileError.Reason) {
      try FileDescriptor(Self.path(".", beside: path), O_RDONLY | O_DIRECTORY).flush(calls.flushes)
    } catch {}
  }
}

extension FileDescriptor {
  /// Copies another file's owner and group, as far as that is permitted, and its mode.
  fileprivate func adopt(_ old: stat) throws(FileError.Reason) {
    // Only the superuser may change the owner; other users may still choose among their groups.
    if fchown(number, old.st_uid, old.st_gid) == -1 { _ = fchown(number, uid_t.max, old.st_gid) }
    try FileError.check { fchmod(number, old.st_mode & 0o777) }
  }
}
