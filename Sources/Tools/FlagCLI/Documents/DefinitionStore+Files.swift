import FlagDefinitions
import FlagFiles
import FlagFoundation
import FlagProviders
import FlagPublishing
import FlagSupport

extension FileDefinitionStore {
  /// Opens a document, and follows its changes.
  static func opened(
    _ path: String, format: any DefinitionFormat = .inHouse, on terminal: Terminal
  ) throws(ToolError) -> FileDefinitionStore {
    return try mapError(
      try FileDefinitionStore(following: URL(filePath: path), format: format, polling: terminal.polling),
      ToolError.store)
  }
}

extension Terminal {
  /// Returns whether a path leads to a pipe or a device, or is that of standard input.
  static func isPipe(_ path: String) -> Bool {
    var status = stat()
    let kind = SystemPath.read(&status, of: path) == 0 ? status.st_mode & S_IFMT : S_IFREG
    return path == "-" || ![S_IFREG, S_IFDIR].contains(kind)
  }

  /// Opens a document that is only read, and follows its changes; a pipe, which has none, is read to its end.
  func store(
    reading path: String, format: any DefinitionFormat = .inHouse
  ) throws(ToolError) -> any DefinitionStore {
    guard Self.isPipe(path) else { return try FileDefinitionStore.opened(path, format: format, on: self) }
    let text = Array(try contents(of: path))
    do throws(DefinitionStoreError) {
      _ = try StoredDefinitions(parsing: text, format: format, of: path)
      return try InMemoryDefinitionStore(String(decoding: text, as: UTF8.self), name: path, format: format)
    } catch {
      throw .store(error)
    }
  }
}

extension FileDefinitionHistory {
  /// Returns whether states of a document are kept beside it.
  static func isKept(beside path: String) -> Bool {
    FileManager.default.fileExists(atPath: folder(beside: URL(filePath: path)).path(percentEncoded: false))
  }

  /// Opens a document whose states are kept beside it; throws if none are.
  static func kept(
    beside path: String, author: String, format: any DefinitionFormat = .inHouse, on terminal: Terminal
  ) throws(ToolError) -> FileDefinitionHistory {
    guard isKept(beside: path) else {
      throw .data("\(path): no states are kept; start flagctl console with --history")
    }
    return try opened(path, author: author, format: format, on: terminal)
  }

  /// Opens a document whose states are kept beside it, and follows its changes.
  static func opened(
    _ path: String, author: String, format: any DefinitionFormat = .inHouse, on terminal: Terminal
  ) throws(ToolError) -> FileDefinitionHistory {
    return try mapError(
      try FileDefinitionHistory(
        following: URL(filePath: path), author: author, format: format, polling: terminal.polling, now: terminal.now),
      ToolError.store)
  }
}

extension DefinitionStore {
  /// The current definitions of the store; throws if it has none.
  var definitions: StoredDefinitions {
    get throws(ToolError) {
      if let current { return current }
      throw .store(DefinitionStoreError(.unreadable, store: name, "expected a document"))
    }
  }
}
