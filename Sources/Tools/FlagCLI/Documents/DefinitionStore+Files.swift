import FlagDefinitions
import FlagProviders
import FlagPublishing
import Foundation

extension FileDefinitionStore {
  /// Opens a document, and follows its changes.
  static func opened(
    _ path: String, format: any DefinitionFormat = .inHouse
  ) throws(ToolError) -> FileDefinitionStore {
    do throws(DefinitionStoreError) {
      return try FileDefinitionStore(following: URL(filePath: path), format: format)
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

  /// Opens a document whose states are kept beside it, and follows its changes.
  static func opened(
    _ path: String, author: String, format: any DefinitionFormat = .inHouse, on terminal: Terminal
  ) throws(ToolError) -> FileDefinitionHistory {
    do throws(DefinitionStoreError) {
      return try FileDefinitionHistory(
        following: URL(filePath: path), author: author, format: format, now: terminal.now)
    } catch {
      throw .store(error)
    }
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
