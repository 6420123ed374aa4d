import FlagDefinitions
import FlagDomain
import FlagPublishing

/// A comparison of a document with what it replaces.
struct PublicationResult {
  let set: String
  let base: PublicationBase
  /// The flags that the document is without, though nobody said that they are to go.
  let removed: [String]
  /// The effect on users as JSON; nil if it was printed as text.
  let report: FlagValue?
}

/// The outcome of a publication.
enum PublicationOutcome {
  /// Servers run the document already.
  case unchanged(PublishedHead)
  /// Publishing was only tried.
  case notPublished(PublicationResult)
  case published(PublicationResult, PublishedHead)

  func text(_ set: String) -> String {
    switch self {
    case .unchanged(let head): return "\(set): revision \(head.revision.number) already has that document\n"
    case .notPublished: return "\(set): nothing was published, because of --dry-run\n"
    case .published(_, let head):
      guard let candidate = head.candidate else { return "\(set): revision \(head.revision.number) is published\n" }
      let share = "\(candidate.percent) % of the servers"
      return "\(set): revision \(candidate.revision.number) is a candidate on \(share)\n"
    }
  }

  func json(_ set: String, pruned: [Int]) -> FlagValue {
    let (result, head): (PublicationResult?, PublishedHead?) =
      switch self {
      case .unchanged(let head): (nil, head)
      case .notPublished(let result): (result, result.base.head)
      case .published(let result, let head): (result, head)
      }
    var isPublished = false
    if case .published = self { isPublished = true }
    return FlagValue([
      "version": 1, "set": set, "isPublished": isPublished, "head": head?.json,
      "replaced": result?.base.head?.json, "broken": result?.base.broken?.problem,
      "removedFlags": result?.removed ?? [], "changes": result?.report, "removedRevisions": pruned,
    ])
  }
}
