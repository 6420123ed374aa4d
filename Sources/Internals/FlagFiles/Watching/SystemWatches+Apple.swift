#if canImport(Darwin)
  import Darwin
  import Dispatch
  import Synchronization

  /// Dispatch sources, one for each watched directory or file.
  final class SystemWatches: WatchSystem {
    private struct Source {
      let source: any DispatchSourceFileSystemObject
      let device: dev_t
      let file: ino_t
    }

    private let sources = Mutex<[Int32: Source]>([:])
    private let queue = DispatchQueue(label: "flag files")
    private let onEvents: @Sendable ([WatchEvent]) -> Void

    init(_ onEvents: @escaping @Sendable ([WatchEvent]) -> Void) throws(FileError.Reason) { self.onEvents = onEvents }

    func add(directory: String) throws(FileError.Reason) -> Int32 { try add(directory, isDirectory: true) }

    func add(file: String) throws(FileError.Reason) -> Int32 { try add(file, isDirectory: false) }

    func remove(_ number: Int32) { sources.withLock { $0.removeValue(forKey: number)?.source.cancel() } }

    /// Watches a directory or a file, and returns its descriptor; one that is watched already keeps its descriptor.
    private func add(_ path: String, isDirectory: Bool) throws(FileError.Reason) -> Int32 {
      let number = try FileError.check { open(path, O_EVTONLY | O_NONBLOCK | O_SYMLINK | O_CLOEXEC) }
      var status = stat()
      fstat(number, &status)
      return sources.withLock { sources in
        if let known = sources.first(where: { $1.device == status.st_dev && $1.file == status.st_ino }) {
          close(number)
          return known.key
        }
        let source = DispatchSource.makeFileSystemObjectSource(
          fileDescriptor: number, eventMask: [.write, .extend, .attrib, .delete, .rename, .link, .revoke], queue: queue)
        source.setEventHandler { [onEvents, unowned source] in
          onEvents([WatchEvent(vnode: UInt32(source.data.rawValue), of: number, isDirectory: isDirectory)])
        }
        source.setCancelHandler { close(number) }
        source.resume()
        sources[number] = Source(source: source, device: status.st_dev, file: status.st_ino)
        return number
      }
    }
  }

  extension FileStamp {
    init(_ status: stat) {
      self.init(
        device: Int64(status.st_dev), file: UInt64(status.st_ino), size: Int64(status.st_size),
        modified: Time(status.st_mtimespec), changed: Time(status.st_ctimespec))
    }
  }
#endif
