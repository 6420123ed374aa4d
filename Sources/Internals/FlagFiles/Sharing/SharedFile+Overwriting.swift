import FlagFoundation
import FlagSupport

/// A write of a file in place, which is kept beside the file until it is on the disk.
///
/// A write that is cut off leaves a mixture of both contents, of which each byte belongs to one of them, or is zero
/// where the disk has lost it. Any other content is of someone else, who has written later.
struct PendingWrite {
  let old: Data
  let new: Data
  /// The owner of the file that it is kept in.
  var owner = geteuid()
}

extension PendingWrite {
  private static let magic = "flag write 1 "

  /// Parses the content of a file; nil if it is none of this kind.
  init?(_ data: Data) {
    let parts = data.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].starts(with: Self.magic.utf8),
      let size = Int(String(decoding: parts[0].dropFirst(Self.magic.utf8.count), as: UTF8.self)),
      (0...parts[1].count).contains(size)
    else { return nil }
    (old, new) = (Data(parts[1].prefix(size)), Data(parts[1].dropFirst(size)))
  }

  var data: Data { Data("\(Self.magic)\(old.count)\n".utf8) + old + new }

  /// Returns whether the write may have left a content, and is of someone who may write the file.
  ///
  /// In a folder that all may write, such as `/tmp`, anyone can make a file that looks like a write.
  func explains(_ content: Data, ofOwner fileOwner: uid_t) -> Bool {
    let sizes = min(old.count, new.count)...max(old.count, new.count)
    guard [fileOwner, geteuid(), 0].contains(owner), sizes.contains(content.count) else { return false }
    return content.enumerated().allSatisfy { offset, byte in
      byte == 0 || offset < old.count && byte == old[offset] || offset < new.count && byte == new[offset]
    }
  }
}

extension SharedFile {
  /// Returns the write in place of the file that is going on, or was cut off; nil if there is none.
  func pendingWrite() throws(FileError) -> PendingWrite? {
    let target: String
    do { target = try self.target() } catch { return nil }  // Reading the file says what is wrong.
    return try pendingWrite(of: target)
  }

  /// Writes a file in place, while the lock is held: it cannot be replaced, because it is mounted by itself.
  ///
  /// Both contents are on the disk, in `.NAME.pending`, before the first byte of the file changes. From then on the new
  /// content counts: readers take it from there, and a writer that is killed leaves it to the next one. After a failure
  /// the old content is written back.
  func overwrite(_ path: String, with new: Data) throws(FileError) {
    guard let (old, status) = try existing(path) else { throw FileError(.write, path, .system(EBUSY)) }
    var durable = self
    durable.isDurable = true
    try durable.replace(pendingPath(of: path), with: PendingWrite(old: old, new: new).data, as: (path, status))
    do throws(FileError) {
      try write(new, over: path)
    } catch {
      try write(old, over: path)
      throw error
    }
  }

  /// Finishes a write in place that was cut off, or removes it if the file has changed since, while the lock is held.
  func finishPendingWrite(of path: String) throws(FileError) {
    guard let pending = try pendingWrite(of: path) else { return }
    if let (data, status) = try existing(path), pending.explains(data, ofOwner: status.st_uid) {
      return try write(pending.new, over: path)
    }
    SystemPath.remove(pendingPath(of: path))
  }

  private func pendingWrite(of path: String) throws(FileError) -> PendingWrite? {
    do throws(FileError.Reason) {
      let file = try FileDescriptor(pendingPath(of: path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      let status = try file.status()
      let size = Int(clamping: status.st_size)
      var pending = PendingWrite(try file.contents(limit: size, expecting: size))
      pending?.owner = status.st_uid
      return pending
    } catch .missing {
      return nil
    } catch {
      throw FileError(.read, self.path, error)
    }
  }

  private func write(_ data: Data, over path: String) throws(FileError) {
    do throws(FileError.Reason) {
      let file = try FileDescriptor(path, O_WRONLY | O_NOFOLLOW)
      try file.append(data)
      try file.truncate(to: data.count)
      try file.flush(calls.flushes)
      try file.finish()
    } catch {
      throw FileError(.write, path, error)
    }
    SystemPath.remove(pendingPath(of: path))
  }

  private func pendingPath(of path: String) -> String { Self.path(".\(Self.name(of: path)).pending", beside: path) }
}
