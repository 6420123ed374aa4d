/// A part of a published set that cannot be used, such as a damaged head.
package struct BrokenPart: Hashable, Sendable {
  /// A kind of parts.
  package enum Kind: String, Hashable, Sendable {
    /// The head, which names the revisions that servers run.
    case head
    /// An entry of the history.
    case entry
    /// A document, or a piece of one.
    case document
  }

  /// The kind of the part.
  package var kind: Kind
  /// The name of the part in its store, such as a key.
  package var key: String
  /// The revision that the part belongs to; nil for the head, or if it is unknown.
  package var revision: Int?
  /// The problem: the expected and the found content.
  package var problem: String

  /// Creates a part.
  package init(_ kind: Kind, key: String, revision: Int? = nil, problem: String) {
    self.kind = kind
    self.key = key
    self.revision = revision
    self.problem = problem
  }
}

extension BrokenPart: CustomStringConvertible {
  /// The key, and the problem.
  package var description: String { "\(key) is broken: \(problem)" }
}
