/// One published state of a document: the number that the store gave it, and who published it, when and why.
public struct PublishedRevision: Hashable, Sendable {
  /// The number: 1 for the first, and one more for each after it.
  public var number: Int
  /// The fingerprint of the document's text; equal texts have equal ones.
  public var fingerprint: String
  /// Who published it, and why.
  public var note: PublicationNote
  /// When it was published, in seconds since 1970-01-01 00:00 UTC, by the publisher's clock.
  public var timestamp: Int64

  /// Creates a revision.
  public init(number: Int, fingerprint: String, note: PublicationNote, timestamp: Int64) {
    self.number = number
    self.fingerprint = fingerprint
    self.note = note
    self.timestamp = timestamp
  }

  /// The version by which a ``DefinitionStore`` knows the revision.
  public var version: DefinitionVersion { DefinitionVersion(rawValue: String(number)) }
}

/// What a publisher says about a revision.
public struct PublicationNote: Hashable, Sendable {
  /// Who publishes: a person or a program.
  public var author: String
  /// Why, in the publisher's words; empty where nothing was said.
  public var reason: String

  /// Creates a note.
  public init(author: String, reason: String = "") {
    self.author = author
    self.reason = reason
  }
}

/// What the servers of a set are told to run: one revision, and while another one is tried out, that one on a share.
public struct PublishedHead: Hashable, Sendable {
  /// The revision that servers run.
  public var revision: PublishedRevision
  /// The revision that is tried out; nil where none is.
  public var candidate: StagedRevision?

  /// Creates a head.
  public init(revision: PublishedRevision, candidate: StagedRevision? = nil) {
    self.revision = revision
    self.candidate = candidate
  }
}

extension PublishedHead: CustomStringConvertible {
  /// The numbers of the revisions, and the candidate's share.
  public var description: String {
    guard let candidate else { return "revision \(revision.number)" }
    return "revision \(revision.number) with candidate \(candidate.revision.number) on \(candidate.percent) %"
  }

  /// Returns the revision that a server runs.
  ///
  /// - Parameter server: The server's name; nil for who takes no part in candidates, such as an editor.
  /// - Returns: The candidate's revision, or the one that all others run.
  public func revision(for server: String?) -> PublishedRevision {
    guard let candidate, let server, candidate.includes(server: server) else { return revision }
    return candidate.revision
  }
}

/// A revision that a share of the servers runs, before all do.
public struct StagedRevision: Hashable, Sendable {
  /// The revision.
  public var revision: PublishedRevision
  /// How many percent of the servers run it, chosen by their names: 1 to 99.
  public var percent: Int

  /// Creates a staged revision.
  public init(revision: PublishedRevision, percent: Int) {
    self.revision = revision
    self.percent = percent
  }
}

extension StagedRevision {
  /// Whether a server runs the candidate.
  ///
  /// It does where the hash of its name (murmur3 of 32 bits, seeded with the revision's number) modulo 100 is below the
  /// percentage: a share that is widened keeps its servers, and the next candidate is tried on others.
  ///
  /// - Parameter server: The server's name.
  /// - Returns: Whether the server belongs to the share.
  public func includes(server: String) -> Bool {
    var hash = Murmur3(seed: UInt32(truncatingIfNeeded: revision.number))
    hash.write(server)
    return hash.value % 100 < UInt32(clamping: percent)
  }
}
