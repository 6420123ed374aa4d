public import FlagDomain
public import Foundation
import Synchronization

/// A provider of the values in a JSON file, which it follows while it runs.
///
/// A flag's value is the field at the top whose name is the flag's whole key, or else what the key leads to as a path:
/// `feed.page-size` is the field `page-size` of the field `feed`. See ``ValuePath``.
///
/// When the file changes, so do the values, and subscribers hear of the keys. Values can be set here, too. While the file is missing, half written or
/// broken, the last good values stay, and the error is handed to a closure.
public final class JSONFileProvider: Sendable {
  /// The provider's name, which holds the file's.
  public let name: String
  let file: URL
  private let onError: @Sendable (FlagError) -> Void
  let live: Live<FileContent>
  private let readings = Atomic<Int>(0)
  private let watching = Mutex<FlagSubscription?>(nil)

  /// Creates a provider from a file, and begins to watch it.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - watcher: What notices that the file changes; nil where it is read once.
  ///   - onError: Hears of each change that left the file unusable.
  /// - Throws: A `FlagError` that says where the file is not JSON, or why it cannot be read or watched.
  public init(
    contentsOf file: URL, watcher: (any FileWatching)? = FileWatcher(),
    onError: @escaping @Sendable (FlagError) -> Void = { _ in }
  ) throws(FlagError) {
    name = "file \(file.lastPathComponent)"
    self.file = file
    self.onError = onError
    live = Live(FileContent(tree: try ValueTree(contentsOf: file)))
    let subscription = try watcher?.watch(file) { [weak self] in self?.follow() }
    watching.withLock { $0 = subscription }
    // The file may have changed before it was watched.
    if subscription != nil { follow() }
  }
}

extension JSONFileProvider {
  /// Reads the file again.
  ///
  /// - Throws: A `FlagError` when the file cannot be used; the values stay as they are.
  public func reload() throws(FlagError) {
    let number = nextReading()
    let tree = try ValueTree(contentsOf: file)
    live.update { content in
      // Of two readings at once, the one that began later has what is newer.
      if number > content.number { content = FileContent(tree: tree, number: number) }
    }
  }

  /// Returns the number of a reading that begins now.
  func nextReading() -> Int { readings.add(1, ordering: .sequentiallyConsistent).newValue }

  private func follow() {
    do throws(FlagError) {
      try reload()
    } catch {
      onError(error)
    }
  }
}

extension JSONFileProvider: ChangingFlagProvider {
  /// Returns the values that the file last gave.
  public func snapshot() -> any ProviderSnapshot { live.current.tree }

  /// Calls a closure after every change, until the subscription ends.
  public func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    live.subscribe(onChange)
  }
}

/// What a reading of the file gave.
struct FileContent: LiveContent {
  var tree: ValueTree
  var number = 0

  func changes(since old: FileContent) -> ChangedKeys? { tree.changes(since: old.tree) }
}

extension ValueTree {
  /// Reads a file.
  init(contentsOf file: URL) throws(FlagError) {
    let data: Data
    do {
      data = try Data(contentsOf: file)
    } catch {
      throw FlagError(.general, "\(file.path): expected a file that can be read: \(error.localizedDescription)")
    }
    do throws(FlagError) {
      root = try FlagValue(json: data)
    } catch {
      throw FlagError(error.code, "\(file.path): \(error.message)")
    }
  }
}
