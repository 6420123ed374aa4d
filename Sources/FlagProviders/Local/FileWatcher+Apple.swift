#if canImport(Darwin)
  import Darwin
  import Dispatch
  public import FlagDomain
  public import Foundation
  import Synchronization

  /// Notices that files change, by dispatch sources: one for the folder, one for the file that is there now.
  public struct FileWatcher: FileWatching {
    /// Creates a watcher.
    public init() {}

    /// Calls a closure after each change of a file, until the subscription ends.
    public func watch(_ file: URL, _ onChange: @escaping @Sendable () -> Void) throws(FlagError) -> FlagSubscription {
      let folder = file.deletingLastPathComponent()
      let content = VnodeSource(file, onChange)
      let entries = VnodeSource(folder) {
        content.reopen()
        onChange()
      }
      guard entries.isOpen else { throw FlagError(.general, "\(folder.path): expected a folder that can be watched") }
      return FlagSubscription {
        entries.close()
        content.close()
      }
    }
  }

  /// A dispatch source over whatever stands at a path.
  private final class VnodeSource: Sendable {
    private let path: String
    private let onChange: @Sendable () -> Void
    private let queue = DispatchQueue(label: "flag file")
    private let source = Mutex<(any DispatchSourceFileSystemObject)?>(nil)

    init(_ file: URL, _ onChange: @escaping @Sendable () -> Void) {
      path = file.path
      self.onChange = onChange
      reopen()
    }

    var isOpen: Bool { source.withLock { $0 != nil } }

    func close() { replace(by: nil) }

    func reopen() {
      let descriptor = open(path, O_EVTONLY)
      guard descriptor >= 0 else { return close() }
      let source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor, eventMask: [.write, .extend, .delete, .rename], queue: queue)
      source.setEventHandler { [onChange] in onChange() }
      source.setCancelHandler { Darwin.close(descriptor) }
      source.resume()
      replace(by: source)
    }

    private func replace(by new: sending (any DispatchSourceFileSystemObject)?) {
      source.withLock { source in
        source?.cancel()
        source = new
      }
    }
  }
#endif
