/// A record of the attributes of a context that evaluations read, in the order of their first reads.
package final class ContextReads {
  /// The paths of the attributes, each once.
  package private(set) var paths: [String] = []
  /// Whether attributes were read by names that are not in the rules, or all of them as one value.
  package private(set) var areOpen = false
  private var known: Set<[UInt8]> = []

  package init() {}

  func insert(_ path: String) {
    // By code points, as rules compare names.
    if known.insert(Array(path.utf8)).inserted { paths.append(path) }
  }

  /// Adds an attribute whose name is a value, and not a part of the rules.
  func insertComputed(_ path: String) {
    areOpen = true
    insert(path)
  }

  func insertAll() { areOpen = true }
}
