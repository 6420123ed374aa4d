import FlagDefinitions
package import FlagDomain
package import FlagEditing
import FlagJSON

/// A change that brings the definition of a flag from one environment to another.
package struct FlagPromotion: Sendable {
  /// The change of the other environment's document.
  package let change: DocumentChange
  /// Whether the other environment does not have the flag yet.
  package let isNew: Bool
  /// The shared rules that the flag uses, and the other environment does not have; sorted.
  package let missingRules: [String]
  /// The shared rules that the flag uses, and the other environment has others of that name; sorted.
  package let differingRules: [String]
}

extension DefinitionEditor {
  /// Returns the change that promotes a flag from another environment to this one.
  ///
  /// The definition replaces the one that is here, or follows the flag that it follows there. Its lines keep their
  /// bytes. Shared rules that are missing or differ here are promoted, too, if they are to be taken.
  ///
  /// - Throws: An error if the other environment has no such flag, or if a document cannot be edited.
  package func promotion(
    of key: String, from environment: FlagEnvironments.Environment, takingRules takesRules: Bool
  ) throws(FlagError) -> FlagPromotion {
    let other = try environment.console.existingEditor
    let (source, stored) = (try other.storedDefinitions, try storedDefinitions)
    _ = (try source.editable, try stored.editable)
    let (theirs, mine) = (try other.sources(of: source.text), try sources(of: stored.text))
    guard theirs.source(of: key) != nil else {
      throw FlagError(.flagNotFound, "The environment \(environment.name) has no flag “\(key.prefix(100))”.")
    }
    var (missing, differing): ([DocumentPath], [DocumentPath]) = ([], [])
    for (path, text) in try theirs.sharedRules(of: key) {
      let rule = try mine.source(at: path).map { text throws(FlagError) in try FlagValue.reading(json: text) }
      if rule == nil {
        missing.append(path)
      } else if try FlagValue.reading(json: text) != rule {
        differing.append(path)
      }
    }
    let change = DocumentChange(
      "promoted \(key) from \(environment.name)", of: [key],
      taking: (takesRules ? missing + differing : []) + [.flags.appending(key)], from: theirs, over: stored.version)
    return FlagPromotion(
      change: change, isNew: mine.source(of: key) == nil, missingRules: missing.compactMap(\.name),
      differingRules: differing.compactMap(\.name))
  }
}

extension DocumentSources {
  /// Returns the shared rules that a flag uses, and those that they use, sorted; references to none are left out.
  fileprivate func sharedRules(of key: String) throws(FlagError) -> [(path: DocumentPath, text: ArraySlice<UInt8>)] {
    var waiting = try FlagValue.reading(json: flag(key))["targeting"]?.references ?? []
    var (rules, known): ([(path: DocumentPath, text: ArraySlice<UInt8>)], Set<String>) = ([], [])
    while let name = waiting.popLast() {
      let path = DocumentPath.evaluators.appending(name)
      guard known.insert(name).inserted, let text = source(at: path) else { continue }
      rules.append((path, text))
      waiting += try FlagValue.reading(json: text).references
    }
    return rules.sorted { ($0.path.name ?? "") < ($1.path.name ?? "") }
  }
}
