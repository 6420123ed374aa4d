import FlagDefinitions
import FlagProviders
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

extension DefinitionStore {
  /// The current definitions of the store; throws if it has none.
  var definitions: StoredDefinitions {
    get throws(ToolError) {
      if let current { return current }
      throw .store(DefinitionStoreError(.unreadable, store: name, "expected a document"))
    }
  }
}
