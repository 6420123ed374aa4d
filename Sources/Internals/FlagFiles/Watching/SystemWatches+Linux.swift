#if os(Linux)
  import Foundation

  /// An inotify instance, and the thread that waits for its events and for changes of the mounted file systems.
  struct SystemWatches: WatchSystem {
    private let descriptor: Int32

    /// The events that may change the target of a name in a directory.
    private static let directoryEvents =
      IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
    /// The events that may change the content of a file; its removal is an event of its directory.
    private static let fileEvents = IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB

    /// Creates an instance, which lasts as long as the process.
    init(_ onEvents: @escaping @Sendable ([WatchEvent]) -> Void) throws(FileError.Reason) {
      let descriptor = try FileError.check { inotify_init1(Int32(IN_CLOEXEC)) }
      self.descriptor = descriptor
      Thread.detachNewThread {
        Thread.current.name = "flag files"
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        // The system reports a change of this file, of which nothing is read. Without it, files are polled.
        let mounts = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
        while true {
          var polled = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: mounts, events: Int16(POLLPRI), revents: 0),
          ]
          guard poll(&polled, 2, -1) > 0 else { continue }
          if polled[1].revents != 0 { onEvents([WatchEvent(kind: .unnamed, number: nil, name: "")]) }
          guard polled[0].revents != 0 else { continue }
          // Reading fails only for a closed descriptor, and this one is never closed.
          let count = read(descriptor, &buffer, buffer.count)
          if count > 0 { onEvents(WatchEvent.events(in: buffer[..<count])) } else if errno != EINTR { break }
        }
      }
    }

    /// Watches a directory, and returns its number, which is the same as long as it is watched.
    func add(directory: String) throws(FileError.Reason) -> Int32 {
      try add(directory, Self.directoryEvents | IN_ONLYDIR)
    }

    /// Watches a file, and returns its number, which is the same as long as it is watched.
    func add(file: String) throws(FileError.Reason) -> Int32 { try add(file, Self.fileEvents) }

    func remove(_ number: Int32) {
      // The system may have ended it in the meantime; numbers are not reused.
      inotify_rm_watch(descriptor, number)
    }

    private func add(_ path: String, _ events: Int32) throws(FileError.Reason) -> Int32 {
      // The events of earlier watches are kept: a file may have taken the place of a directory since its kind was
      // looked up.
      try FileError.check {
        inotify_add_watch(descriptor, path, UInt32(bitPattern: events | IN_DONT_FOLLOW | IN_MASK_ADD))
      }
    }
  }

  extension WatchEvent {
    /// Parses the events in a buffer: a number, a mask, a cookie and a length, of four bytes each, and a name that is
    /// padded with zeros.
    static func events(in buffer: ArraySlice<UInt8>) -> [WatchEvent] {
      var events: [WatchEvent] = []
      var rest = buffer
      while rest.count >= 16 {
        let fields = rest.withUnsafeBytes { bytes in
          (0..<4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) }
        }
        let name = rest.dropFirst(16).prefix(Int(fields[3]))
        rest = rest.dropFirst(16 + Int(fields[3]))
        let number = Int32(bitPattern: fields[0])
        events.append(
          WatchEvent(
            kind: Kind(mask: fields[1]), number: number < 0 ? nil : number,
            name: String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)))
      }
      return events
    }
  }

  extension FileStamp {
    init(_ status: stat) {
      self.init(
        device: Int64(truncatingIfNeeded: status.st_dev), file: UInt64(status.st_ino), size: Int64(status.st_size),
        modified: Time(status.st_mtim), changed: Time(status.st_ctim))
    }
  }

  extension WatchEvent.Kind {
    fileprivate init(mask: UInt32) {
      // Lost events may include those of a writer that has not finished: it gets the settling time, too.
      let isModified = mask & UInt32(IN_MODIFY | IN_Q_OVERFLOW) != 0
      self = mask & UInt32(IN_IGNORED) != 0 ? .ended : isModified ? .modified : .changed
    }
  }
#endif
