import Dispatch
public import FlagDefinitions
public import FlagDomain
import FlagFiles
public import FlagFoundation

/// A store of definitions in a file, which it follows until it is released.
///
/// Writers exclude each other, in this process and in others, as for every file of the package; the version is computed
/// from the text.
public final class FileDefinitionStore: DefinitionStore {
  /// The file's path, from the root.
  public var name: String { file.path }
  private let file: SharedFile
  private let format: any DefinitionFormat
  private let updates: DefinitionUpdates
  /// The definitions that are being written, which the next reader of the file need not parse again.
  private let written = Locked<StoredDefinitions?>(nil)
  private let follower = Locked<FileFollower?>(nil)

  /// Reads a file, and follows it.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - format: The document's format.
  ///   - polling: The time between two looks at the file.
  /// - Throws: An error with the reason why the file cannot be read or served.
  public init(
    following file: URL, format: any DefinitionFormat = .inHouse, polling: Duration = .seconds(1)
  ) throws(DefinitionStoreError) {
    self.file = SharedFile(file)
    self.format = format
    updates = DefinitionUpdates(try Self.read(self.file, format))
    // The passed content is ignored, and the file read again: only what is read under the lock is known to be the
    // newest.
    let follower = FileFollower(self.file, polling: polling) { [weak self] _ throws(DefinitionStoreError) in
      try self?.reloadIfUsable()
    } onError: { [weak self] _ in
      self?.reload()
    }
    self.follower.withLock { $0 = follower }
  }

  /// The last document of the file that could be served.
  public var current: StoredDefinitions? { updates.current }

  /// The last document of the file that could be served, and the reason why a later one could not.
  public var status: DefinitionStatus { updates.status }

  /// Reads the file again, before the next look at it.
  public func refresh() async throws(DefinitionStoreError) {
    try await elsewhere { [self] () throws(DefinitionStoreError) in
      reload()
      if let failure = updates.failure { throw failure }
    }
  }

  /// Calls a closure for each change or failure of the file, until the subscription ends.
  public func subscribe(
    _ onUpdate: @escaping @Sendable (Result<StoredDefinitions, DefinitionStoreError>) -> Void
  ) -> FlagSubscription {
    updates.subscribe(onUpdate)
  }

  /// Replaces the file in one step, if it still has the version that the caller has seen.
  ///
  /// It waits for other writers on a thread of its own, for five seconds at most.
  @discardableResult
  public func replace(
    with text: [UInt8], expecting version: DefinitionVersion?
  ) async throws(DefinitionStoreError) -> StoredDefinitions {
    let new = try StoredDefinitions(parsing: text, format: format, of: name)
    try await elsewhere { [self] () throws(DefinitionStoreError) in try replaceHere(with: new, expecting: version) }
    return new
  }

  /// Replaces the file as ``replace(with:expecting:)`` does, on this thread.
  func replaceHere(with new: StoredDefinitions, expecting version: DefinitionVersion?) throws(DefinitionStoreError) {
    written.withLock { $0 = StoredDefinitions(new, version: DefinitionVersion(of: new.text)) }
    // The status is that of the file as it is now, whether it was replaced or is another one than was expected.
    defer {
      reload()
      written.withLock { $0 = nil }
    }
    try file.update { error in
      DefinitionStoreError(.notWritten, store: error.path, error.message)
    } _: { old throws(DefinitionStoreError) in
      let found = old.map { DefinitionVersion(of: Array($0)) }
      guard found == version else {
        throw DefinitionStoreError(conflictIn: name, expected: version, found: found)
      }
      return Data(new.text)
    }
  }

  /// The file's bytes now; nil if there is no file.
  func text() throws(DefinitionStoreError) -> [UInt8]? {
    do throws(FileError) {
      return Array(try file.read())
    } catch {
      if error.reason == .missing { return nil }
      throw DefinitionStoreError(.unreadable, store: name, error.message)
    }
  }

  /// Reads the file again, on this thread.
  func reload() {
    updates.notify { known in Result { () throws(DefinitionStoreError) in try read(unless: known) } }
  }

  /// Reads the file again, and throws an error that is not told to anyone if it cannot be served.
  private func reloadIfUsable() throws(DefinitionStoreError) {
    var failure: DefinitionStoreError?
    updates.notify { known in
      do throws(DefinitionStoreError) {
        return .success(try read(unless: known))
      } catch {
        failure = error
        return nil
      }
    }
    if let failure { throw failure }
  }

  private func read(unless known: StoredDefinitions?) throws(DefinitionStoreError) -> StoredDefinitions {
    try Self.read(file, format, unless: [known, written.withLock { $0 }])
  }

  /// Reads the file, and parses it if its text differs from the known ones.
  private static func read(
    _ file: SharedFile, _ format: any DefinitionFormat, unless known: [StoredDefinitions?] = []
  ) throws(DefinitionStoreError) -> StoredDefinitions {
    let text: [UInt8]
    do {
      text = Array(try file.read())
    } catch {
      throw DefinitionStoreError(.unreadable, store: file.path, error.message)
    }
    for case let known? in known where known.text == text { return known }
    return try StoredDefinitions(parsing: text, format: format, of: file.path)
  }
}

/// Runs a closure that blocks on a thread of its own.
func elsewhere<Value: Sendable, Failure: Error>(
  _ body: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
  let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
    DispatchQueue.global().async {
      continuation.resume(returning: Result { () throws(Failure) in try body() })
    }
  }
  return try result.get()
}
