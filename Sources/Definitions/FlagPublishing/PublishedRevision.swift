package import FlagDefinitions

/// One published state of a document: its number in the store, its author, and the time and reason of publishing it.
public struct PublishedRevision: Hashable, Sendable {
  /// The number: 1 for the first revision, and one more for each after it.
  public var number: Int
  /// The fingerprint of the document's text; equal texts have equal fingerprints.
  package var fingerprint: String
  /// The author, and the reason for publishing it.
  public var note: PublicationNote
  /// The time of publishing, in seconds since 1970-01-01 00:00 UTC, by the publisher's clock.
  public var timestamp: Int64

  /// Creates a revision.
  package init(number: Int, fingerprint: String, note: PublicationNote, timestamp: Int64) {
    self.number = number
    self.fingerprint = fingerprint
    self.note = note
    self.timestamp = timestamp
  }

  /// The version of the revision in a `DefinitionStore`.
  package var version: DefinitionVersion { DefinitionVersion(rawValue: String(number)) }
}

/// A publisher's note about a revision.
public struct PublicationNote: Hashable, Sendable {
  /// The author: a person or a program.
  public var author: String
  /// The reason, in the publisher's words; empty if none was given.
  public var reason: String

  /// Creates a note.
  public init(author: String, reason: String = "") {
    self.author = author
    self.reason = reason
  }
}

/// The revision that the servers of a set are to run, and a candidate that is staged on a share of them.
public struct PublishedHead: Hashable, Sendable {
  /// The revision that servers run, except those in the candidate's share.
  public var revision: PublishedRevision
  /// The revision that is staged; nil if there is no candidate.
  public var candidate: StagedRevision?

  /// Creates a head.
  package init(revision: PublishedRevision, candidate: StagedRevision? = nil) {
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
  /// - Parameter server: The server's name; nil for a client that never runs candidates, such as an editor.
  /// - Returns: The candidate's revision if the server is in its share, else the head's.
  package func revision(for server: String?) -> PublishedRevision {
    guard let candidate, let server, candidate.includes(server: server) else { return revision }
    return candidate.revision
  }
}

/// A revision that runs on a share of the servers before it is released to all.
public struct StagedRevision: Hashable, Sendable {
  /// The revision.
  public var revision: PublishedRevision
  /// The percentage of servers that run it, chosen by their names: 1 to 99.
  public var percent: Int

  /// Creates a staged revision.
  package init(revision: PublishedRevision, percent: Int) {
    self.revision = revision
    self.percent = percent
  }

  /// Returns whether a server runs the candidate.
  ///
  /// It does if the hash of its name (32-bit murmur3, seeded with the revision's number) modulo 100 is below the
  /// percentage: a share that is widened keeps its servers, and the next candidate is staged on others.
  ///
  /// - Parameter server: The server's name.
  /// - Returns: Whether the server belongs to the share.
  package func includes(server: String) -> Bool {
    var hash = Murmur3(seed: UInt32(truncatingIfNeeded: revision.number))
    hash.write(server)
    return hash.value % 100 < UInt32(clamping: percent)
  }
}
