/// A record of the attributes of a context that evaluations read, in the order of their first reads.
package final class ContextReads {
  /// The paths of the attributes, each once.
  package private(set) var paths: [String] = []
  /// Whether attributes were read by names that are not in the rules, or all of them as one value.
  package internal(set) var areOpen = false
  private var known: Set<[UInt8]> = []

  package init() {}

  func insert(_ path: String) {
    // By code points, as rules compare names.
    if known.insert(Array(path.utf8)).inserted { paths.append(path) }
  }
}
