public import FlagDefinitions
public import FlagDomain
import FlagFiles
public import Foundation

/// A store of definitions in a file, which it follows until it is released.
///
/// Writers exclude each other, in this process and in others, as for every file of the package; the version is computed
/// from the text.
public final class FileDefinitionStore: DefinitionStore {
  /// The file's path, from the root.
  public let name: String
  private let file: DefinitionFile
  private let follower: FileFollower

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
    let file = try DefinitionFile(SharedFile(file), format: format)
    name = file.name
    self.file = file
    // The passed content is ignored, and the file read again: only what is read under the lock is known to be the
    // newest.
    follower = FileFollower(file.file, polling: polling) { _ throws(DefinitionStoreError) in
      try file.reloadIfUsable()
    } onError: { _ in
      file.reload()
    }
  }

  /// The last document of the file that could be served.
  public var current: StoredDefinitions? { file.updates.current }

  /// The last document of the file that could be served, and the reason why a later one could not.
  public var status: DefinitionStatus { file.updates.status }

  /// Reads the file again, before the next look at it.
  public func refresh() async throws(DefinitionStoreError) {
    await withCheckedContinuation { [file] continuation in
      DispatchQueue.global().async {
        file.reload()
        continuation.resume()
      }
    }
    if let failure = file.updates.failure { throw failure }
  }

  /// Calls a closure for each change or failure of the file, until the subscription ends.
  public func subscribe(
    _ onUpdate: @escaping @Sendable (Result<StoredDefinitions, DefinitionStoreError>) -> Void
  ) -> FlagSubscription {
    file.updates.subscribe(onUpdate)
  }

  /// Replaces the file in one step, if it still has the version that the caller has seen.
  ///
  /// It waits for other writers on a thread of its own, for five seconds at most.
  @discardableResult
  public func replace(
    with text: [UInt8], expecting version: DefinitionVersion?
  ) async throws(DefinitionStoreError) -> StoredDefinitions {
    let new = try file.parse(text)
    let result: Result<Void, DefinitionStoreError> = await withCheckedContinuation { [file] continuation in
      DispatchQueue.global().async {
        continuation.resume(
          returning: Result { () throws(DefinitionStoreError) in try file.replace(with: new, expecting: version) })
      }
    }
    try result.get()
    return new
  }

  /// The file's bytes now; nil if there is no file.
  package func text() throws(DefinitionStoreError) -> [UInt8]? {
    do throws(FileError) {
      return Array(try file.file.read())
    } catch {
      if error.reason == .missing { return nil }
      throw DefinitionStoreError(.unreadable, store: name, error.message)
    }
  }

  /// Reads the file again, on this thread.
  package func reload() { file.reload() }

  /// Replaces the file as ``replace(with:expecting:)`` does, on this thread.
  package func replaceHere(
    with new: StoredDefinitions, expecting version: DefinitionVersion?
  ) throws(DefinitionStoreError) {
    try file.replace(with: StoredDefinitions(new, version: DefinitionVersion(of: new.text)), expecting: version)
  }
}

/// A file, its parsed content, and the subscribers.
private final class DefinitionFile: Sendable {
  let file: SharedFile
  let updates: DefinitionUpdates
  private let format: any DefinitionFormat
  /// The definitions that are being written, which the next reader of the file need not parse again.
  private let written = Locked<StoredDefinitions?>(nil)

  var name: String { file.path }

  init(_ file: SharedFile, format: any DefinitionFormat) throws(DefinitionStoreError) {
    self.file = file
    self.format = format
    updates = DefinitionUpdates(try Self.read(file, format))
  }

  /// Reads the file again, and throws an error that is not told to anyone if it cannot be served.
  func reloadIfUsable() throws(DefinitionStoreError) {
    var failure: DefinitionStoreError?
    updates.notify { known in
      do throws(DefinitionStoreError) {
        return .success(try Self.read(file, format, unless: [known, written.withLock { $0 }]))
      } catch {
        failure = error
        return nil
      }
    }
    if let failure { throw failure }
  }

  func reload() {
    updates.notify { known in
      Result { () throws(DefinitionStoreError) in
        try Self.read(file, format, unless: [known, written.withLock { $0 }])
      }
    }
  }

  func replace(with new: StoredDefinitions, expecting version: DefinitionVersion?) throws(DefinitionStoreError) {
    written.withLock { $0 = new }
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

  func parse(_ text: [UInt8]) throws(DefinitionStoreError) -> StoredDefinitions {
    try Self.parse(text, name, format)
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
    return try parse(text, file.path, format)
  }

  private static func parse(
    _ text: [UInt8], _ name: String, _ format: any DefinitionFormat
  ) throws(DefinitionStoreError) -> StoredDefinitions {
    do {
      return try StoredDefinitions(parsing: text, format: format)
    } catch {
      throw DefinitionStoreError(error, store: name)
    }
  }
}
