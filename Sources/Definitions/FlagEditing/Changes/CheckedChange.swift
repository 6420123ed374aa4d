package import FlagDefinitions
package import FlagDomain
import FlagReview

/// A change that was made to a document, and the problems of the result.
package struct CheckedChange {
  package var review = ChangeReview()
  /// The changed definitions; nil if they cannot be read.
  package private(set) var definitions: StoredDefinitions?
  /// The keys of the flags that are written differently, sorted.
  package private(set) var changedKeys: [String] = []
  /// The texts before and after; nil if the document cannot be changed so.
  package private(set) var before: DocumentSources?
  package private(set) var after: DocumentSources?
  private var title: String
  /// The keys, the document and the changed text that were checked.
  private var keys: [String]
  private var old: StoredDefinitions
  private var text: [UInt8] = []

  package init(
    _ change: DocumentChange, in stored: StoredDefinitions, over before: DocumentSources, reusing last: CheckedChange?
  ) throws(FlagError) {
    (title, keys, old) = (change.title, change.keys, stored)
    let bucketing = try stored.editable.bucketing
    do throws(FlagError) {
      text = try change.text(in: stored.text)
    } catch {
      guard error.code != .flagNotFound else { throw error }
      review.problem = error
      return
    }
    if let last, last.keys == keys, last.text == text, last.old.text == stored.text, last.review.problem == nil {
      self = last
      title = change.title
      return
    }
    review.isUnchanged = text == stored.text
    let after = review.isUnchanged ? before : try DocumentSources(text)
    (self.before, self.after) = (before, after)
    changedKeys = after.differing(from: before)
    review.otherWords = after.partWords(from: before)
    review.fingerprint = after.fingerprint(of: changedKeys, from: before)
    let checked = StoredDefinitions.checking(text, for: change.keys + changedKeys, bucketing: bucketing)
    (definitions, review.diagnostics) = (checked.definitions, checked.diagnostics)
  }

  /// The change as it can be taken back.
  package var saved: SavedChange? {
    guard let before, let after else { return nil }
    return SavedChange(title, from: before, to: after)
  }

  /// Returns the definitions to save; nil if the change leaves them as they are.
  ///
  /// - Throws: The reason why they cannot be saved.
  package func servable(of store: any DefinitionStore) throws -> StoredDefinitions? {
    if let problem = review.problem { throw problem }
    if review.isUnchanged { return nil }
    guard let definitions, review.isServable else {
      throw DefinitionStoreError(
        .invalid, store: store.name, "expected a definition that can be served", diagnostics: review.diagnostics)
    }
    return definitions
  }
}

extension StoredDefinitions {
  /// The document in the in-house format, which can be edited unless it is in a resource of Kubernetes.
  package var editable: FlagDocument {
    get throws(FlagError) {
      guard KubernetesResource.document(in: text) == nil else {
        throw FlagError(.general, "this console cannot edit the definitions: they are in a resource of Kubernetes")
      }
      do throws(FlagDocumentError) {
        return try inHouse
      } catch {
        throw FlagError(.general, "this console cannot edit the definitions: \(error.diagnostics[0].message)")
      }
    }
  }
}
