/// A part of a published set that cannot be used, such as a damaged head.
public struct BrokenPart: Hashable, Sendable {
  /// A kind of parts.
  public enum Kind: String, Hashable, Sendable {
    /// The head, which names the revisions that servers run.
    case head
    /// An entry of the history.
    case entry
    /// A document, or a piece of one.
    case document
  }

  /// The kind of the part.
  public var kind: Kind
  /// The name of the part in its store, such as a key.
  public var key: String
  /// The revision that the part belongs to; nil for the head, or if it is unknown.
  public var revision: Int?
  /// The problem: the expected and the found content.
  public var problem: String

  /// Creates a part.
  public init(_ kind: Kind, key: String, revision: Int? = nil, problem: String) {
    self.kind = kind
    self.key = key
    self.revision = revision
    self.problem = problem
  }
}

extension BrokenPart: CustomStringConvertible {
  /// The key, and the problem.
  public var description: String { "\(key) is broken: \(problem)" }
}
