#if os(Linux)
  import Dispatch
  public import FlagDomain
  public import Foundation
  import Glibc

  /// Notices that files change, by inotify.
  ///
  /// It watches the folder, since an editor that saves makes a new file under the old name. A writer that keeps the file
  /// open is noticed when it closes it.
  public struct FileWatcher: FileWatching {
    /// Creates a watcher.
    public init() {}

    /// Calls a closure after each change of a file, until the subscription ends.
    public func watch(_ file: URL, _ onChange: @escaping @Sendable () -> Void) throws(FlagError) -> FlagSubscription {
      let descriptor = try Self.open(file.deletingLastPathComponent())
      let name = file.lastPathComponent
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: DispatchQueue(label: "flag file"))
      source.setEventHandler {
        // No name: the queue ran over, and any file may have changed.
        if Self.changedNames(descriptor).contains(where: { $0 == name || $0.hasPrefix("..") || $0.isEmpty }) {
          onChange()
        }
      }
      source.setCancelHandler { close(descriptor) }
      source.resume()
      let running = Running(source: source)
      return FlagSubscription { running.source.cancel() }
    }

    /// Sendable unchecked: the source is only cancelled, which Dispatch allows on any thread and any number of times.
    private struct Running: @unchecked Sendable {
      let source: any DispatchSourceRead
    }

    /// Returns a descriptor of the changes in a folder.
    private static func open(_ folder: URL) throws(FlagError) -> Int32 {
      let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      let changes = UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE)
      guard descriptor >= 0, inotify_add_watch(descriptor, folder.path, changes) >= 0 else {
        let reason = String(cString: strerror(errno))
        if descriptor >= 0 { close(descriptor) }
        throw FlagError(.general, "\(folder.path): expected a folder that can be watched: \(reason)")
      }
      return descriptor
    }

    /// Returns the names of the files that have changed since the last call.
    ///
    /// A mounted configuration map is replaced as a whole, through a link whose name begins with two dots.
    private static func changedNames(_ descriptor: Int32) -> [String] {
      var names: [String] = []
      var bytes = [UInt8](repeating: 0, count: 4096)
      while case let count = read(descriptor, &bytes, bytes.count), count > 0 {
        var rest = bytes[..<count]
        // An event is a watch, a mask, a cookie and a length, of four bytes each, and a name that is filled up by zeros.
        while rest.count >= 16 {
          let length = rest[rest.startIndex + 12..<rest.startIndex + 16].reversed().reduce(0) { $0 << 8 | Int($1) }
          names.append(String(decoding: rest.dropFirst(16).prefix(length).prefix { $0 != 0 }, as: UTF8.self))
          rest = rest.dropFirst(16 + length)
        }
      }
      return names
    }
  }
#endif
