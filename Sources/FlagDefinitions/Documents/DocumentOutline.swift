import FlagDomain
import FlagJSON

/// What checking a document needs beyond what is served: every flag as it is written, and what is there twice.
struct DocumentOutline {
  /// The outermost members, in the order of the text.
  var members: [Member] = []
  /// The flags, in the order of the text.
  var flags: [Flag] = []
  /// The document's metadata.
  var metadata: FlagValue?
  /// The members within flags, metadata and shared rules that do not count, because a later one has their name.
  var duplicates: [DuplicateMember] = []

  /// An outermost member.
  struct Member {
    let name: String
    /// The count of bytes before its value.
    let offset: Int
  }

  /// A flag as it is written.
  struct Flag {
    let key: String
    /// The count of bytes before its value.
    let offset: Int
    /// What its entry says, or nil where that cannot be held.
    var value: FlagValue?
  }
}
